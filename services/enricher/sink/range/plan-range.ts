import { createHash } from 'node:crypto';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { Plan } from '../../../../shared/requests/range-plan.js';

/** Which records make a range (EXACTLY-ONCE.md). Pure. */

/** The mark of a new range: of the first record's bytes alone, so that it does not depend on what can be decoded. */
export function markOf(first: LogRecord): string {
  return createHash('sha256').update(first.value).digest('hex').slice(0, 32);
}

/** Equal for each insert of the range, whoever makes it. */
export function tokenOf(partition: number, { first, last, mark }: Plan): string {
  return `requests.raw/${partition}/${first}-${last}/${mark}`;
}

export interface QueuedRecord {
  readonly offset: number;
  readonly rows: number;
  /** Its rows as what they cost (`weighRequests`): no fewer than there are. */
  readonly weight: number;
  readonly bytes: number;
}

export interface RangeBounds {
  /** It closes when its rows weigh so much; above 0, as `maxBytes` is. */
  readonly endsAtWeight: number;
  /** It closes before the record that would take it beyond these: those that its preparation has room for. */
  readonly mostRows: number;
  readonly maxBytes: number;
  readonly lingered: boolean;
}

/** Records, with their rows, what those weigh, and bytes (each text in its row). */
export interface RangeSize {
  readonly records: number;
  readonly rows: number;
  readonly weight: number;
  readonly bytes: number;
}

export const NO_RANGE: RangeSize = { records: 0, rows: 0, weight: 0, bytes: 0 };

/** A range closes at so many ordinary rows where the store takes few a second. */
export const LEAST_RANGE_ROWS = 30_000;

/** So that a plan can name each of its records in the commit's text. */
export const MOST_RECORDS = 10_000;

/**
 * How many of the queued records end the range, or null while it can't be closed yet. 0: it ends with what was taken of it before.
 * A planned range is exactly what was planned. Any other closes at `endsAtWeight`, before the record that would take it over
 * `mostRows` or `maxBytes` (a larger one is a range of its own), or earlier when `lingered`.
 * @param taken what of the range was taken from the queue before
 */
export function closeRange(
  queue: readonly QueuedRecord[],
  plannedLast: number | null,
  { endsAtWeight, mostRows, maxBytes, lingered }: RangeBounds,
  taken = NO_RANGE,
): number | null {
  if (plannedLast !== null) {
    const beyond = queue.findIndex((record) => record.offset > plannedLast);
    if (beyond >= 0) return beyond;
    return queue.at(-1)?.offset === plannedLast ? queue.length : null;
  }
  let { records, rows, weight, bytes } = taken;
  const isFull = () => weight >= endsAtWeight || bytes >= maxBytes || records >= MOST_RECORDS;
  if (isFull()) return 0;
  for (const [index, record] of queue.entries()) {
    rows += record.rows;
    weight += record.weight;
    bytes += record.bytes;
    if (records > 0 && (rows > mostRows || bytes > maxBytes)) return index;
    records += 1;
    if (isFull()) return index + 1;
  }
  return lingered && records > 0 ? queue.length : null;
}
