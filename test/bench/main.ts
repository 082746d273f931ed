import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { CommanderError } from 'commander';
import { makeBenchFolder } from './bench-folder.js';
import { measureCoreSpeeds } from './core-speed.js';
import { type BenchOptions, type PartName, parseOptions, partNames } from './options.js';
import { parts } from './parts.js';
import { type Rate, ratioLines } from './print/ratios.js';
import { namedLine } from './print/table.js';
import { figure } from './statistics.js';

/**
 * `npm run bench`: what a line costs on its way into the store, stage by stage and as a whole, beside the engine's own bulk insert and
 * GoAccess; freshness; what each windowed read costs. Ratios of one run are what it is for; absolute figures are this machine's, on
 * this day. `--only` chooses parts, `--help` lists what else it takes.
 */

async function run(options: BenchOptions): Promise<void> {
  if (options.built !== true) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const folder = await makeBenchFolder(options.folder, { keep: options.keep === true });
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`;
  console.log(namedLine('machine', machine));
  const figures: Record<string, unknown> = {};
  let whole: Rate | undefined;
  const rates: [name: string, rate: Rate][] = [];
  // Before the first part, and after each.
  const coreSpeeds = [await measureCoreSpeeds()];
  try {
    for (const name of withGoAccessAgain(options.only)) {
      const result = await parts[name]({ options, folder, progress });
      coreSpeeds.push(await measureCoreSpeeds());
      figures[name in figures ? `${name}Again` : name] = result.figures;
      whole ??= result.whole;
      rates.push(...Object.entries(result.rates ?? {}));
      const [before, after] = coreSpeeds.slice(-2).map((cores) => cores.map(figure).join(', '));
      console.log(`\n${result.lines.join('\n')}`);
      console.log(namedLine('cores, million steps/s, before and after', `${before}; ${after}`));
      // With each part: a run that fails later has told what it has.
      if (options.json !== undefined)
        await writeFile(options.json, `${JSON.stringify({ machine, coreSpeeds, ...figures }, null, 2)}\n`);
    }
  } finally {
    await folder.end();
  }
  const ratios = whole === undefined ? [] : ratioLines(whole, rates);
  if (ratios.length > 0) console.log(`\n${ratios.join('\n')}`);
  if (options.keep === true) console.log(namedLine('data', folder.path));
}

/** GoAccess before the whole way and after it: a machine whose cores change their speed in between favours one of both, and the two ratios show it. */
function withGoAccessAgain(only: BenchOptions['only']): PartName[] {
  const chosen = partNames.filter((part) => only.includes(part));
  if (!chosen.includes('goaccess')) return chosen;
  return chosen.flatMap((part) => (part === 'full' ? [part, 'goaccess'] : [part]));
}

function progress(text: string): void {
  console.error(`… ${text}`);
}

try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  // Of the command line, and told already.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
