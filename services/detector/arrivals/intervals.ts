import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { INTERVAL_MS } from '../baselines/hours.js';

/** A range is stored within a second or so of its upload; uploads of a minute's logs come within the next. */
export const CLOSING_DELAY_MS = 90 * SECOND_MS;
/** The health of closed intervals is counted again for so long. */
export const KEPT_MS = 2 * DAY_MS;
/** The parts of one batch come one behind the other: an interval closes when none came for so long, */
export const SETTLED_MS = 30 * SECOND_MS;
/** but no later than this after its first part. */
export const LONGEST_SETTLING_MS = 10 * MINUTE_MS;
/** An interval that has some requests waits no longer than this for the rest of them, however late logs usually are. */
export const LONGEST_PARTIAL_MS = 30 * MINUTE_MS;
/** Requests that are older when they come are of the past: an import, or a day's batch. */
export const PAST_MS = 2 * HOUR_MS;
/** A stretch of the past is complete when no more of it came for so long: an import sends its files one after another, */
export const PAST_SETTLED_MS = 2 * MINUTE_MS;
/** or after so long: a sender that never pauses must not put off all alerts. */
export const LONGEST_IMPORT_MS = 2 * HOUR_MS;

export function intervalOf(time: number): number {
  return Math.floor(time / INTERVAL_MS) * INTERVAL_MS;
}
