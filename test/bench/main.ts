import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { CommanderError } from 'commander';
import { makeBenchFolder } from './bench-folder.js';
import { type BenchOptions, type PartName, parseOptions, partNames } from './options.js';
import { parts } from './parts.js';
import { type Rate, ratioLines } from './print/ratios.js';
import { namedLine } from './print/table.js';

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
  const figures: Partial<Record<PartName, unknown>> = {};
  let whole: Rate | undefined;
  const rates: Record<string, Rate> = {};
  try {
    for (const name of partNames.filter((part) => options.only.includes(part))) {
      const result = await parts[name]({ options, folder, progress });
      figures[name] = result.figures;
      whole ??= result.whole;
      Object.assign(rates, result.rates);
      console.log(`\n${result.lines.join('\n')}`);
      // With each part: a run that fails later has told what it has.
      if (options.json !== undefined)
        await writeFile(options.json, `${JSON.stringify({ machine, ...figures }, null, 2)}\n`);
    }
  } finally {
    await folder.end();
  }
  const ratios = whole === undefined ? [] : ratioLines(whole, rates);
  if (ratios.length > 0) console.log(`\n${ratios.join('\n')}`);
  if (options.keep === true) console.log(namedLine('data', folder.path));
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
