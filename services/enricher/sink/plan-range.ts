import { createHash } from 'node:crypto';
import type { Commit, LogRecord } from '../../../shared/event-log/event-log.js';

/** The plan of a range, as it stands in the group's commit (EXACTLY-ONCE.md). Pure. */
export interface Plan {
  /** Offset of the first record, and the commit's own offset. */
  readonly first: number;
  readonly last: number;
  /** Ends the token: what tells the range from one in the same place of a log begun anew. */
  readonly mark: string;
  /** When the range was first planned, milliseconds since the epoch. */
  readonly plannedAt: number;
  /** Offsets of records that are not inserted: the store refused them (they lie in requests.dead), or they repeat a stored block. */
  readonly leftOut: ReadonlySet<number>;
}

/** The commit holds a plan in a form that is not known. */
export class UnknownPlanError extends Error {}

/** The mark of a new range: of the first record's bytes alone, so that it does not depend on what can be decoded. */
export function markOf(first: LogRecord): string {
  return createHash('sha256').update(first.value).digest('hex').slice(0, 32);
}

/** Equal for each insert of the range, whoever makes it. */
export function tokenOf(partition: number, { first, last, mark }: Plan): string {
  return `requests.raw/${partition}/${first}-${last}/${mark}`;
}

/** The port allows 4,096 characters. */
const MOST_LEFT_OUT_CHARACTERS = 3_800;

/** `plan1:<last>:<mark>:<planned at, base 36>:<left out>` */
export function planCommit({ first, last, mark, plannedAt, leftOut }: Plan): Commit {
  const list = encodeOffsets(first, leftOut);
  // Without the list a restart tries the whole range again, and finds them again.
  const kept = list.length <= MOST_LEFT_OUT_CHARACTERS ? list : '';
  const fields = [last, encodeURIComponent(mark), plannedAt.toString(36), kept];
  return { offset: first, metadata: `plan1:${fields.join(':')}` };
}

export function doneCommit(last: number): Commit {
  return { offset: last + 1, metadata: '' };
}

const PLAN = /^plan1:(\d+):([^:]*):([0-9a-z]+):([A-Za-z0-9_-]*)$/;

/**
 * The range that was planned and may have been inserted; null: none was.
 * @throws UnknownPlanError where the plan has another form: stepping over it may insert rows twice.
 */
export function readPlan(committed: Commit | null): Plan | null {
  if (committed === null || committed.metadata === '') return null;
  const { offset: first, metadata } = committed;
  const [, last, mark, plannedAt, list] = PLAN.exec(metadata) ?? [];
  if (last === undefined || mark === undefined || plannedAt === undefined || list === undefined) {
    throw new UnknownPlanError(
      `the commit holds a plan that can't be read (${JSON.stringify(metadata.slice(0, 60))}): start with an empty log, or with the version that wrote it`,
    );
  }
  return {
    first,
    last: Number(last),
    mark: decodeURIComponent(mark),
    plannedAt: Number.parseInt(plannedAt, 36),
    leftOut: decodeOffsets(first, list),
  };
}

/** A bit for each offset of the range, base64url. */
function encodeOffsets(first: number, offsets: ReadonlySet<number>): string {
  if (offsets.size === 0) return '';
  const bits = Buffer.alloc(Math.floor((Math.max(...offsets) - first) / 8) + 1);
  for (const offset of offsets) {
    const at = (offset - first) >> 3;
    bits[at] = (bits[at] as number) | (1 << ((offset - first) & 7));
  }
  return bits.toString('base64url');
}

function decodeOffsets(first: number, list: string): Set<number> {
  const offsets = new Set<number>();
  for (const [at, byte] of Buffer.from(list, 'base64url').entries()) {
    for (let bit = 0; bit < 8; bit += 1) if (byte & (1 << bit)) offsets.add(first + 8 * at + bit);
  }
  return offsets;
}

export interface QueuedRecord {
  readonly offset: number;
  readonly rows: number;
  readonly bytes: number;
}

export interface RangeBounds {
  /** It closes when it has these; above 0, as `maxBytes` is. */
  readonly endsAtRows: number;
  /** It closes before the record that would take it beyond these: those that its preparation has room for. */
  readonly mostRows: number;
  readonly maxBytes: number;
  readonly lingered: boolean;
}

/** Records, with their rows and bytes (each text in its row). */
export interface RangeSize {
  readonly records: number;
  readonly rows: number;
  readonly bytes: number;
}

export const NO_RANGE: RangeSize = { records: 0, rows: 0, bytes: 0 };

/** A range closes at these rows where the store takes few a second. */
export const LEAST_RANGE_ROWS = 30_000;

/** So that a plan can name each of its records in the commit's text. */
export const MOST_RECORDS = 10_000;

/**
 * How many of the queued records end the range, or null while it can't be closed yet. 0: it ends with what was taken of it before.
 * A planned range is exactly what was planned. Any other closes at `endsAtRows`, before the record that would take it over
 * `mostRows` or `maxBytes` (a larger one is a range of its own), or earlier when `lingered`.
 * @param taken what of the range was taken from the queue before
 */
export function closeRange(
  queue: readonly QueuedRecord[],
  plannedLast: number | null,
  { endsAtRows, mostRows, maxBytes, lingered }: RangeBounds,
  taken = NO_RANGE,
): number | null {
  if (plannedLast !== null) {
    const beyond = queue.findIndex((record) => record.offset > plannedLast);
    if (beyond >= 0) return beyond;
    return queue.at(-1)?.offset === plannedLast ? queue.length : null;
  }
  let { records, rows, bytes } = taken;
  const isFull = () => rows >= endsAtRows || bytes >= maxBytes || records >= MOST_RECORDS;
  if (isFull()) return 0;
  for (const [index, record] of queue.entries()) {
    rows += record.rows;
    bytes += record.bytes;
    if (records > 0 && (rows > mostRows || bytes > maxBytes)) return index;
    records += 1;
    if (isFull()) return index + 1;
  }
  return lingered && records > 0 ? queue.length : null;
}
