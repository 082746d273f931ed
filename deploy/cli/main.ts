import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.js';
import { type PackedTable, unpackTable } from './table/operation-table.js';

/** `loglane`: runs as one built file, into which the build puts these two values. */
declare const LOGLANE_OPERATIONS: PackedTable;
declare const LOGLANE_VERSION: string;

const INTERRUPTED = 130;
/** Remains if the event loop runs empty before the command ends. */
const UNFINISHED = 13;
const TIME_TO_END_MS = 2_000;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted.abort();
    // Commands that run for long end themselves; all others end now.
    setTimeout(() => process.exit(INTERRUPTED), TIME_TO_END_MS).unref();
    process.once(signal, () => process.exit(INTERRUPTED));
  });

// A reader such as `head` has enough: that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });

/** No await at the top level: the single executable is CommonJS. */
async function main(): Promise<void> {
  process.exitCode = UNFINISHED;
  const code = await run(process.argv.slice(2), {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    fetch,
    now: Date.now,
    sleep: (milliseconds) =>
      sleep(milliseconds, undefined, { signal: interrupted.signal }).catch(() => undefined),
    signal: interrupted.signal,
    table: unpackTable(LOGLANE_OPERATIONS),
    version: LOGLANE_VERSION,
  });
  process.exitCode = interrupted.signal.aborted && code !== 0 ? INTERRUPTED : code;
}

void main();
