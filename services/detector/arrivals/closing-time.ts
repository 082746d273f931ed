import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import {
  CLOSING_DELAY_MS,
  LONGEST_PARTIAL_MS,
  LONGEST_SETTLING_MS,
  SETTLED_MS,
  VERDICTS_MS,
} from './intervals.js';
import { type Punctuality, patienceOf } from './punctuality.js';
import { passedAt, stragglersWait } from './stragglers.js';

/** When an interval with live requests, or without requests, may close. */

/** When the first and the newest requests of an interval or a stretch of imported logs were stored. */
export interface ArrivalTimes {
  readonly firstAt: number;
  readonly newestAt: number;
}

export interface OpenInterval extends ArrivalTimes {
  /** Storage time of the newest requests whose crawlers are still being looked up; 0: none. */
  readonly pendingAt: number;
}

/**
 * Whether the interval that begins at `start` may close.
 * @param through time up to which all arrivals are noted, milliseconds since the epoch
 */
export function isDue(
  start: number,
  through: number,
  {
    open,
    punctuality,
  }: { readonly open: ReadonlyMap<number, OpenInterval>; readonly punctuality: Punctuality },
): boolean {
  const end = start + INTERVAL_MS;
  return through >= end + CLOSING_DELAY_MS && through >= waitsUntil(end, open.get(start), punctuality);
}

/** Until when more requests of an interval are expected. @param end of the interval */
function waitsUntil(end: number, times: OpenInterval | undefined, punctuality: Punctuality): number {
  const wait = stragglersWait(punctuality.stragglers, punctuality.storedAt);
  const passed = passedAt(punctuality.stragglers, end);
  const usual =
    passed === null ? end + Math.max(patienceOf(punctuality), wait) : Math.max(end, passed) + wait;
  if (times === undefined) return usual;
  const settled = Math.min(
    Math.max(times.newestAt + SETTLED_MS, times.pendingAt + VERDICTS_MS),
    Math.max(end, times.firstAt) + LONGEST_SETTLING_MS,
  );
  const longest = Math.max(end, times.newestAt) + Math.max(LONGEST_PARTIAL_MS, wait);
  return Math.max(settled, Math.min(usual, longest));
}
