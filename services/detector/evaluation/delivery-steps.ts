import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { addMinutes, quantile, type Spread } from '../arrivals/spread.js';

/**
 * Steps are the times from one minute with requests to the next. They show whether a time without requests is
 * usual, or its logs are missing. Steps are learned from request times in order, so they do not depend on how
 * logs are sent.
 */

/**
 * A gap as long as 99 of 100 steps is usual: a website with one visit an hour is not silent after ten
 * minutes.
 */
const QUIET_SHARE = 0.99;

/**
 * Mutates.
 * @param before end of the previous minute with requests; 0: there was none
 * @param minutes starts of minutes with requests, in rising order
 */
export function learnSteps(steps: Spread, before: number, minutes: readonly number[]): void {
  let last = before;
  for (const minute of minutes) {
    const end = minute + MINUTE_MS;
    if (last > 0 && end - last <= DAY_MS) addMinutes(steps, (end - last) / MINUTE_MS);
    last = end;
  }
}

/**
 * Whether the logs before `end` have probably arrived.
 * @param through end of the newest minute with requests before `end`; 0: there is none
 */
export function isDeliveredThrough(steps: Spread, through: number, end: number): boolean {
  if (through === 0) return false;
  const quiet = (Math.max(1, quantile(steps, QUIET_SHARE)) - 1) * MINUTE_MS;
  return through + quiet >= end;
}
