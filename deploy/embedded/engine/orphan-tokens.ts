import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * The engine writes the token of an insert into its table's log, then gives the part its name (measured on 26.7). An end in
 * between leaves a token without rows, in one table or in several, whose parts are written side by side. The engine then drops the
 * repeat of the insert there, and its rows are missing from these tables for ever. Where a part is dropped the engine adds a line to
 * the log that says so; here such a line is added for every token whose part is not there.
 *
 * The engine holds one lock from the line to the name, so an orphan is its table's newest token. Once a later part has been merged
 * with an earlier one, the gap between them can't be seen: so tokens are checked at each start and after each write that failed.
 */

/** A token that a table remembers without having its part. */
export interface OrphanToken {
  readonly part: string;
  readonly blockId: string;
}

/** What is wrong with the log of one table. */
export interface TokenLogFault {
  /** Its newest file. */
  readonly log: string;
  readonly orphans: readonly OrphanToken[];
  /** Bytes of the file without a last line that was cut off; null: none was. The engine could not read what is written behind such a line. */
  readonly wholeBytes: number | null;
}

/**
 * Newest lines of a log that are looked at. Later ones than an orphan's come only from inserts beside its own. No more than the
 * smallest window: of a token that has left the window it is not said that its part was dropped.
 */
export const NEWEST_LINES = 100;
/** Holds so many lines, whatever the partitions are called. */
const TAIL_BYTES = 32_768;
const LOGS = 'deduplication_logs';
const ADDED = '1';
const DROPPED = '2';

/**
 * Reads synchronously: the caller starts no statement meanwhile. While an insert runs, its newest token may be among them.
 * @param directory of the engine.
 */
export function findTokenFaults(directory: string): TokenLogFault[] {
  return tablesOf(directory).flatMap((table) => unlessGone(() => faultOf(table)) ?? []);
}

/** Call it while nothing writes: the engine reads its logs only when it starts. */
export function mendTokenLogs(faults: readonly TokenLogFault[]): void {
  for (const { log, orphans, wholeBytes } of faults) {
    if (wholeBytes !== null) truncateSync(log, wholeBytes);
    const lines = orphans.map(({ part, blockId }) => `${DROPPED}\t${part}\t${blockId}\n`);
    appendFileSync(log, lines.join(''));
  }
}

/** Directories of tables that have such a log. */
function tablesOf(directory: string): string[] {
  const under = (parent: string) =>
    (unlessGone(() => readdirSync(parent)) ?? []).map((name) => join(parent, name));
  return under(join(directory, 'store'))
    .flatMap(under)
    .filter((table) => existsSync(join(table, LOGS)));
}

/** Tables are dropped while the engine runs. @returns null where the file is gone. */
function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function faultOf(table: string): TokenLogFault | null {
  const files = logFiles(join(table, LOGS));
  const newest = files.at(-1);
  if (newest === undefined) return null;
  const tails = files.slice(-2).map(readTail);
  const { bytes, cutBytes } = tails.at(-1)!;
  const tokens = new Map<string, string>();
  for (const line of tails.flatMap(({ lines }) => lines).slice(-NEWEST_LINES)) {
    const [operation, part, blockId] = line.split('\t');
    if (part === undefined || blockId === undefined) continue;
    if (operation === ADDED) tokens.set(blockId, part);
    if (operation === DROPPED) tokens.delete(blockId);
  }
  const holds = partsOf(table);
  const orphans = [...tokens].flatMap(([blockId, part]) => (holds(part) ? [] : [{ part, blockId }]));
  if (orphans.length === 0 && cutBytes === 0) return null;
  return { log: newest, orphans, wholeBytes: cutBytes === 0 ? null : bytes - cutBytes };
}

/** Oldest first. */
function logFiles(logs: string): string[] {
  const numberOf = (file: string) => Number(file.slice('deduplication_log_'.length, -'.txt'.length));
  return readdirSync(logs)
    .filter((file) => file.startsWith('deduplication_log_') && Number.isInteger(numberOf(file)))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((file) => join(logs, file));
}

function readTail(file: string) {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = fstatSync(descriptor).size;
    const buffer = Buffer.alloc(Math.min(bytes, TAIL_BYTES));
    const text = buffer
      .subarray(0, readSync(descriptor, buffer, 0, buffer.length, bytes - buffer.length))
      .toString('latin1');
    const lines = text.split('\n');
    const cut = lines.pop() ?? '';
    // The first one is the end of a line, where the file is longer.
    if (bytes > buffer.length) lines.shift();
    return { bytes, cutBytes: cut.length, lines };
  } finally {
    closeSync(descriptor);
  }
}

/** Tells whether a table has a part, itself or as one that it was merged into. */
function partsOf(table: string): (part: string) => boolean {
  const parts = readdirSync(table, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => blocksOf(name) ?? []);
  return (part) => {
    const wanted = blocksOf(part);
    return (
      wanted !== null &&
      parts.some(
        ({ partition, first, last }) =>
          partition === wanted.partition && first <= wanted.first && last >= wanted.last,
      )
    );
  };
}

/** Which inserts' rows a part holds, by its name: `partition_first_last_level`, and the mutation behind it where there was one. */
function blocksOf(part: string) {
  const [partition = '', ...numbers] = part.split('_');
  const [first, last, level] = numbers.map(Number);
  if (numbers.length < 3 || numbers.length > 4 || !Number.isInteger(level)) return null;
  return { partition, first: first as number, last: last as number };
}
