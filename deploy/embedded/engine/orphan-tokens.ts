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
 * The engine (26.7) writes the token of an insert into its table's log, then renames the part. A crash in between leaves a token
 * without rows, in one or several tables, since parts of several tables are written in parallel. The engine then drops the repeated
 * insert as a duplicate, and the rows are permanently missing from these tables. When the engine drops a part, it adds a line to the
 * log. This module adds such a line for every token without a part.
 *
 * The engine has one lock from the line to the rename, so an orphan is the newest token of its table. After a later part is merged
 * with an earlier one, the gap between them is no longer visible. So tokens are checked at each start and after each failed write.
 */

/** A token in a table's log without its part. */
export interface OrphanToken {
  readonly part: string;
  readonly blockId: string;
}

/** Faults in the log of one table. */
export interface TokenLogFault {
  /** Newest file of the log. */
  readonly log: string;
  readonly orphans: readonly OrphanToken[];
  /** Bytes of the file without a truncated last line; null: no line is truncated. The engine can't read lines after a truncated one. */
  readonly wholeBytes: number | null;
}

/**
 * Number of checked newest lines of a log. Lines after an orphan's line come only from parallel inserts. The number is at most the
 * smallest deduplication window: the log has no line about dropped parts of tokens outside the window.
 */
export const NEWEST_LINES = 100;
/** Enough for NEWEST_LINES with the longest partition names. */
const TAIL_BYTES = 32_768;
const LOGS = 'deduplication_logs';
const ADDED = '1';
const DROPPED = '2';

/**
 * Reads synchronously, so no statement starts meanwhile. If an insert is running, the result may contain its newest token.
 * @param directory the engine's directory.
 */
export function findTokenFaults(directory: string): TokenLogFault[] {
  return tablesOf(directory).flatMap((table) => unlessGone(() => faultOf(table)) ?? []);
}

/** Repairs the logs. Call it while nothing writes. The engine reads its logs only at its start. */
export function mendTokenLogs(faults: readonly TokenLogFault[]): void {
  for (const { log, orphans, wholeBytes } of faults) {
    if (wholeBytes !== null) truncateSync(log, wholeBytes);
    const lines = orphans.map(({ part, blockId }) => `${DROPPED}\t${part}\t${blockId}\n`);
    appendFileSync(log, lines.join(''));
  }
}

/** Directories of tables with a deduplication log. */
function tablesOf(directory: string): string[] {
  const under = (parent: string) =>
    (unlessGone(() => readdirSync(parent)) ?? []).map((name) => join(parent, name));
  return under(join(directory, 'store'))
    .flatMap(under)
    .filter((table) => existsSync(join(table, LOGS)));
}

/** The engine may drop a table meanwhile. @returns null if the file is missing. */
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

/** Log files, oldest first. */
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
    // In a longer file, the first piece is only the end of a line.
    if (bytes > buffer.length) lines.shift();
    return { bytes, cutBytes: cut.length, lines };
  } finally {
    closeSync(descriptor);
  }
}

/** @returns whether a table has the part, or a part that it was merged into. */
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

/** Range of inserts in a part, from its name: `partition_first_last_level`, followed by the mutation if there was one. */
function blocksOf(part: string) {
  const [partition = '', ...numbers] = part.split('_');
  const [first, last, level] = numbers.map(Number);
  if (numbers.length < 3 || numbers.length > 4 || !Number.isInteger(level)) return null;
  return { partition, first: first as number, last: last as number };
}
