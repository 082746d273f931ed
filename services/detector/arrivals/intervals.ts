import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';

/**
 * An interval closes no earlier than this after its end: a minute's logs are uploaded within the next minute,
 * and stored a second later.
 */
export const CLOSING_DELAY_MS = 90 * SECOND_MS;
/** Late requests change the health of intervals for this long. */
export const HEALTH_CORRECTED_MS = 2 * DAY_MS;
/**
 * After a longer outage of the detector, older intervals are skipped: the log has forgotten their arrivals
 * (shared/event-log/topics.ts).
 */
export const LONGEST_OUTAGE_MS = 2 * DAY_MS;
/** The parts of a batch follow each other: an interval closes when no part has arrived for this long. */
export const SETTLED_MS = 30 * SECOND_MS;
/**
 * Addresses of crawlers are looked up, and again after 5, 25 and 105 seconds
 * (services/enricher/verification). Verdicts arrive within this time.
 */
export const VERDICTS_MS = 2 * MINUTE_MS;
/**
 * A batch counts as settled this long after the later of the interval's end and the first part, even if parts
 * still arrive.
 */
export const LONGEST_SETTLING_MS = 10 * MINUTE_MS;
/** An interval with requests waits no longer than this for more of them. */
export const LONGEST_PARTIAL_MS = 30 * MINUTE_MS;
/** Requests that are older on arrival are imported logs: an archive, or a daily batch. */
export const IMPORTED_MS = 2 * HOUR_MS;
/**
 * Imported logs are complete when none have arrived for this long: an import sends its files one after
 * another.
 */
export const IMPORT_SETTLED_MS = 2 * MINUTE_MS;
/**
 * Imported logs are also evaluated this long after the first part, since a continuous sender must not delay
 * all alerts.
 */
export const LONGEST_IMPORT_MS = 2 * HOUR_MS;
/**
 * Logs that are imported within this time after a website's first arrival are evaluated in the order of their
 * requests, even before closed intervals.
 */
export const HISTORY_MS = DAY_MS;
/** The wait before all intervals of a website are evaluated again doubles each time, up to this. */
export const LONGEST_PAUSE_MS = 30 * MINUTE_MS;

export function intervalOf(time: number): number {
  return Math.floor(time / INTERVAL_MS) * INTERVAL_MS;
}
