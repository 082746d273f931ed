import type { TrackedWebsite } from './tracked-website.js';

/** Intervals with requests that are not closed yet: how many, and what they weigh (signals/held-minute.ts). */
export interface OpenIntervals {
  count: number;
  weight: number;
}

/** Of a partition. Those above it are waited for no longer. */
const MOST_OPEN = 5_000;
/**
 * Of all partitions of a replica; 128 to 256 MB, as texts are. An interval of a busy website weighs some 25,000, one that is made to be heavy
 * 50,000.
 */
const MOST_WEIGHT = 128 * 1024 ** 2;

/** Which of the bounds a partition is to get below. Of weight only those partitions that have more than their share. */
export function shortOf(
  own: Readonly<OpenIntervals>,
  weights: readonly number[],
): 'intervals' | 'weight' | null {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total > MOST_WEIGHT && own.weight > MOST_WEIGHT / weights.length) return 'weight';
  return own.count > MOST_OPEN ? 'intervals' : null;
}

/** Does what changes a website's open intervals, and brings their sums up to date. */
export function counting<Result>(
  sums: OpenIntervals,
  { signals }: Pick<TrackedWebsite<unknown>, 'signals'>,
  work: () => Result,
): Result {
  const count = signals.open.size;
  const weight = signals.openWeight;
  try {
    return work();
  } finally {
    sums.count += signals.open.size - count;
    sums.weight += signals.openWeight - weight;
  }
}
