import { DAY_MS, MINUTE_MS } from '../../shared/durations.js';
import { addMinutes, quantile, type Spread } from './spread.js';

/**
 * From a minute with requests to the next one: it says whether a stretch without requests is known to have had none. It is learned from the
 * lines alone, in the order of their time, however they are delivered.
 */

/** Of a hundred steps ninety-nine are no longer: a website of one visit an hour is not silent after ten minutes. */
const QUIET_SHARE = 0.99;

/** Mutates. @param before end of the last minute with requests before them; 0: there was none @param minutes beginnings, in rising order */
export function learnSteps(steps: Spread, before: number, minutes: readonly number[]): void {
  let last = before;
  for (const minute of minutes) {
    const end = minute + MINUTE_MS;
    if (last > 0 && end - last <= DAY_MS) addMinutes(steps, (end - last) / MINUTE_MS);
    last = end;
  }
}

/** Whether logs of the time before `end` have come, as far as there were requests. @param through end of the newest minute with requests before it; 0: none */
export function isDeliveredThrough(steps: Spread, through: number, end: number): boolean {
  if (through === 0) return false;
  const quiet = (Math.max(1, quantile(steps, QUIET_SHARE)) - 1) * MINUTE_MS;
  return through + quiet >= end;
}
