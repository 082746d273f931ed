import { createHash } from 'node:crypto';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { Plan } from '../../../../shared/requests/range-plan.js';

/** Chooses the records of a range (EXACTLY-ONCE.md). Pure. */

/** The mark of a new range. It uses only the first record's bytes, so that it does not depend on decoding. */
export function markOf(first: LogRecord): string {
  return createHash('sha256').update(first.value).digest('hex').slice(0, 32);
}

/** Equal for each insert of the range, by any owner. */
export function tokenOf(partition: number, { first, last, mark }: Plan): string {
  return `requests.raw/${partition}/${first}-${last}/${mark}`;
}

export interface QueuedRecord {
  readonly offset: number;
  readonly rows: number;
  /** The cost of its rows (`weighRequests`), at least their number. */
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

/** A number of records, with their rows and bytes (each text in its row). */
export interface RangeSize {
  readonly records: number;
  readonly rows: number;
  readonly weight: number;
  readonly bytes: number;
}

export const NO_RANGE: RangeSize = { records: 0, rows: 0, weight: 0, bytes: 0 };

/** A range closes at this weight if the store is slow. */
export const LEAST_RANGE_WEIGHT = 30_000;

/** Bounded so that a plan can name each record in the commit's text. */
export const MOST_RECORDS = 10_000;

/**
 * The number of queued records that end the range; null: it cannot be closed yet; 0: it ends with the records
 * taken before.
 *
 * A planned range is exactly the planned one. Any other closes when its rows weigh `endsAtWeight`, before the
 * record that would exceed `mostRows` or `maxBytes` (a larger record is a separate range), or earlier if `lingered`.
 * @param taken size of the part that was taken from the queue before
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
