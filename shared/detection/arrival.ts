import { DAY_MS } from '../durations.js';

/** Older requests are not reported: a new website learns its normal traffic from its last four weeks. */
export const OLDEST_ARRIVAL_MS = 28 * DAY_MS;

/**
 * Reports that a stored range has requests of one website: a record of `requests.stored`. It lists the intervals that
 * the detector must evaluate. The detector reads their counts from the store. A repeated record changes nothing.
 */
export interface Arrival {
  readonly websiteId: string;
  /** Time of the insert, and the earliest receipt of its requests, milliseconds since the epoch. */
  readonly storedAt: number;
  readonly receivedAt: number;
  /** Whether it has requests of crawlers whose addresses are still being looked up: their verdicts follow later. */
  readonly hasPendingClaims: boolean;
  /** Start of the oldest and of the newest minute with requests, milliseconds since the epoch. */
  readonly oldestMinute: number;
  readonly newestMinute: number;
  /**
   * Start of each five-minute interval with requests, in rising order, milliseconds since the epoch. None is older than
   * {@link OLDEST_ARRIVAL_MS} or an hour or more ahead of the clock.
   */
  readonly intervals: readonly number[];
}
