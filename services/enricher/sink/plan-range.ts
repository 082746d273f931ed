import type { Commit } from '../../../shared/event-log/event-log.js';

/** The plan of a range, as it stands in the group's commit (EXACTLY-ONCE.md). Pure. */

const PLAN = /^plan:(\d+)$/;

export function planCommit(first: number, last: number): Commit {
  return { offset: first, metadata: `plan:${last}` };
}

export function doneCommit(last: number): Commit {
  return { offset: last + 1, metadata: '' };
}

/** Last offset of the range that was planned and may have been inserted; null: none was. */
export function plannedLast(committed: Commit | null): number | null {
  const match = PLAN.exec(committed?.metadata ?? '');
  return match === null ? null : Number(match[1]);
}

export interface QueuedRecord {
  readonly offset: number;
  readonly rows: number;
}

/**
 * How many of the queued records make the next range, or null while it can't be closed yet.
 * A planned range is exactly what was planned. Any other closes at `maxRows`, or earlier when `lingered`.
 */
export function closeRange(
  queue: readonly QueuedRecord[],
  planned: number | null,
  { maxRows, lingered }: { maxRows: number; lingered: boolean },
): number | null {
  if (planned !== null) {
    const beyond = queue.findIndex((record) => record.offset > planned);
    if (beyond >= 0) return beyond;
    return queue.at(-1)?.offset === planned ? queue.length : null;
  }
  let rows = 0;
  for (const [index, record] of queue.entries()) {
    rows += record.rows;
    if (rows >= maxRows) return index + 1;
  }
  return lingered && queue.length > 0 ? queue.length : null;
}
