import { DAY_MS } from '../durations.js';

/** Older requests are not reported: a new website learns what is usual from its last four weeks. */
export const OLDEST_ARRIVAL_MS = 28 * DAY_MS;

/**
 * Reports that a stored range has requests of one website: a record of `requests.stored`. It has the intervals that the detector must evaluate. Their
 * counts are read from the store. A repeated record changes nothing.
 */
export interface Arrival {
  readonly websiteId: string;
  /** When the range was stored, and the earliest receipt of its requests, milliseconds since the epoch. */
  readonly storedAt: number;
  readonly receivedAt: number;
  /** Whether it has requests of crawlers whose addresses are still being looked up: their verdicts come later. */
  readonly hasPendingClaims: boolean;
  /** Beginnings of the oldest and of the newest minute with requests, milliseconds since the epoch. */
  readonly oldestMinute: number;
  readonly newestMinute: number;
  /** The intervals of five minutes with requests, in rising order, by their beginnings. None is older than {@link OLDEST_ARRIVAL_MS}, nor ahead of the clock by an hour. */
  readonly intervals: readonly number[];
}
