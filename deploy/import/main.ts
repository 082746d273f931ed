import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { ConfigError, loadConfig } from '../../shared/config.js';
import { type FormatOption, formatOptions } from './format-options.js';
import { importFile, noCounts } from './import-file.js';
import { DemoFailure, findInstance } from './instance.js';
import { type Ledger, openLedger } from './ledger.js';
import { websiteOf } from './part.js';
import { createProgress, type Progress } from './progress.js';
import { readLogFile } from './read-file.js';
import { createPartSender, Refused } from './send-part.js';
import { summarise } from './summary.js';

/** `npm run import -- FILE…`: imports existing log files into a running instance (docs/import.md). */

interface Options extends Partial<Record<FormatOption, string>> {
  readonly url?: string;
  readonly key?: string;
  readonly credentials?: string;
  readonly ledger?: string;
  readonly generation?: string;
}

const program = new Command('import')
  .description(
    'Sends log files to a running Loglane. Content that was imported before is not sent again, even under another file name.',
  )
  .argument('<files...>', 'log files, plain or compressed with gzip, bzip2 or zstd; - is standard input')
  .option('--url <url>', 'ingest address (default: INGEST_URL, else from the credentials file)')
  .option('--key <key>', 'ingest key (default: INGEST_KEY, else from the credentials file)')
  .option('--credentials <path>', 'credentials file (default: DATA_DIR/credentials.json)')
  .option('--ledger <path>', 'record of imported content (default: DATA_DIR/imports.ndjson)')
  .option('--generation <text>', 'imports removed days again; npm run admin -- forget prints the text');

for (const [name, description] of Object.entries(formatOptions)) {
  program.option(`--${name} <text>`, description);
}

interface Target {
  readonly url: string;
  readonly ingestKey: string;
  readonly ledger: Ledger;
  readonly generation: string;
}

/** @returns whether every file was imported completely. */
async function run(files: readonly string[], options: Options): Promise<boolean> {
  const dataDir = loadConfig(process.env).DATA_DIR;
  const { ingestUrl, ingestKey } = await findInstance(
    options.credentials ?? join(dataDir, 'credentials.json'),
    {
      url: options.url ?? (process.env.INGEST_URL || undefined),
      key: options.key ?? (process.env.INGEST_KEY || undefined),
    },
  );
  const url = new URL(ingestUrl);
  for (const name of Object.keys(formatOptions)) {
    const value = options[name as FormatOption];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const ledger = await openLedger(options.ledger ?? join(dataDir, 'imports.ndjson'), websiteOf(ingestKey));
  const { generation = '' } = options;
  try {
    let isWhole = true;
    for (const file of files)
      isWhole = (await importOne(file, { url: url.href, ingestKey, ledger, generation })) && isWhole;
    return isWhole;
  } finally {
    await ledger.close();
  }
}

/** @throws Refused, which also affects the next files. */
async function importOne(file: string, { url, ingestKey, ledger, generation }: Target): Promise<boolean> {
  const name = file === '-' ? 'standard input' : file;
  const counts = noCounts();
  const started = performance.now();
  let progress: Progress | null = null;
  const finish = () => {
    progress?.stop();
    return summarise(name, counts, (performance.now() - started) / 1_000);
  };
  try {
    const size = file === '-' ? null : (await stat(file)).size;
    const shown = createProgress({ name, size, output: process.stderr, now: () => performance.now() });
    progress = shown;
    const send = createPartSender({ url, ingestKey, fetch, sleep, onWait: sayOnce(shown.say) });
    await importFile(readLogFile(file, shown.bytes), counts, {
      name,
      ledger,
      generation,
      send,
      now: Date.now,
      onLines: shown.lines,
    });
    process.stdout.write(`${finish()}\n`);
    return counts.lines === 0 || counts.accepted + counts.skipped + counts.known > 0;
  } catch (error) {
    const summary = finish();
    const wasBegun = counts.lines > 0;
    if (wasBegun) process.stdout.write(`${summary}\n`);
    process.stderr.write(
      `import: ${name}: ${(error as Error).message}${wasBegun ? '; accepted lines are not sent again' : ''}\n`,
    );
    if (error instanceof Refused) throw error;
    return false;
  }
}

const SAY_AGAIN_MS = 60_000;

/** Parts wait together, so one line per minute reports the wait. */
function sayOnce(say: (text: string) => void): (reason: string, milliseconds: number) => void {
  let last = { reason: '', at: Number.NEGATIVE_INFINITY };
  return (reason, milliseconds) => {
    const at = performance.now();
    if (reason === last.reason && at - last.at < SAY_AGAIN_MS) return;
    last = { reason, at };
    say(`waiting ${Math.ceil(milliseconds / 1_000)} s: ${reason}`);
  };
}

try {
  program.parse();
  if (!(await run(program.args, program.opts<Options>()))) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof Refused || error instanceof DemoFailure || error instanceof ConfigError))
    throw error;
  if (!(error instanceof Refused)) process.stderr.write(`import: ${error.message}\n`);
  process.exitCode = 1;
}
