import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../shared/config.js';
import { type FormatOption, formatOptions } from './format-options.js';
import { importFile, noCounts } from './import-file.js';
import { findInstance } from './instance.js';
import { type Ledger, openLedger } from './ledger.js';
import { websiteOf } from './part.js';
import { createProgress, type Progress } from './progress.js';
import { readLogFile } from './read-file.js';
import { createPartSender, Refused } from './send-part.js';
import { summarise } from './summary.js';

/** `loglane import FILE…`: imports existing log files into a running instance (docs/import.md). */

/** Streams of the command. The result of a file is data, all else is for people. */
export interface ImportStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
}

export interface IngestOptions extends Partial<Record<FormatOption, string>> {
  readonly url?: string;
  readonly key?: string;
  readonly credentials?: string;
}

export interface ImportCommand extends IngestOptions {
  readonly ledger?: string;
  readonly generation?: string;
}

interface Target {
  readonly url: string;
  readonly ingestKey: string;
  readonly ledger: Ledger;
  readonly generation: string;
  readonly streams: ImportStreams;
}

/** Address and key of ingest, with the description of the format in the address. @throws DemoFailure, ConfigError */
export async function findIngest(
  options: IngestOptions,
  env: NodeJS.ProcessEnv,
): Promise<{ url: string; ingestKey: string; dataDir: string }> {
  const dataDir = loadConfig(env).DATA_DIR;
  const { ingestUrl, ingestKey } = await findInstance(
    options.credentials ?? join(dataDir, 'credentials.json'),
    { url: options.url ?? (env.INGEST_URL || undefined), key: options.key ?? (env.INGEST_KEY || undefined) },
  );
  const url = new URL(ingestUrl);
  for (const name of Object.keys(formatOptions)) {
    const value = options[name as FormatOption];
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return { url: url.href, ingestKey, dataDir };
}

/** @returns whether every file was imported completely. @throws Refused, DemoFailure, ConfigError */
export async function runImport(
  files: readonly string[],
  options: ImportCommand,
  env: NodeJS.ProcessEnv,
  streams: ImportStreams,
): Promise<boolean> {
  const { url, ingestKey, dataDir } = await findIngest(options, env);
  const ledger = await openLedger(options.ledger ?? join(dataDir, 'imports.ndjson'), websiteOf(ingestKey));
  const { generation = '' } = options;
  try {
    let isWhole = true;
    for (const file of files)
      isWhole = (await importOne(file, { url, ingestKey, ledger, generation, streams })) && isWhole;
    return isWhole;
  } finally {
    await ledger.close();
  }
}

/** @throws Refused, which also affects the next files. */
async function importOne(
  file: string,
  { url, ingestKey, ledger, generation, streams }: Target,
): Promise<boolean> {
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
    const shown = createProgress({ name, size, output: streams.stderr, now: () => performance.now() });
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
    streams.stdout.write(`${finish()}\n`);
    return counts.lines === 0 || counts.accepted + counts.skipped + counts.known > 0;
  } catch (error) {
    const summary = finish();
    const wasBegun = counts.lines > 0;
    if (wasBegun) streams.stdout.write(`${summary}\n`);
    if (error instanceof Refused) throw error;
    streams.stderr.write(
      `loglane: ${name}: ${(error as Error).message}${wasBegun ? '; accepted lines are not sent again' : ''}\n`,
    );
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
