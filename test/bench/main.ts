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
 * `npm run bench` measures the cost of a line on its way into the store, by stage and in total, and compares
 * it with the engine's bulk insert and with GoAccess. It also measures freshness and the cost of each
 * windowed read. Compare ratios of one run; absolute figures depend on the machine and the day. `--only`
 * chooses parts, `--help` lists all options.
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
      // Written after each part, so that a later failure loses no results.
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

/**
 * Runs GoAccess before and after full ingest: if the cores change their speed in between, the two ratios
 * differ.
 */
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
  // Errors of the command line were printed before.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
