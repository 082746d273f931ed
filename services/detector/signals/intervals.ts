import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { INTERVAL_MS } from '../baselines/hours.js';
import type { HealthCounts } from '../judge-interval.js';

/** What a range brings is stored within a second or so of the upload; uploads of a minute's logs come within the next. */
export const CLOSING_DELAY_MS = 90 * SECOND_MS;
/** Closed intervals take what comes late for so long. */
export const KEPT_MS = 2 * DAY_MS;
/** A website whose first logs are its last week's is judged by all of them. */
export const FIRST_DELIVERY_MS = 8 * DAY_MS;
/** Clocks of senders may be fast by so much. */
export const AHEAD_MS = HOUR_MS;
/** The parts of one batch come one behind the other: an interval closes when none came for so long, */
export const SETTLED_MS = 30 * SECOND_MS;
/** but no later than this after its first part. */
export const LONGEST_SETTLING_MS = 10 * MINUTE_MS;
/** An interval that has some requests is not kept open for the rest of them for longer than this, however late logs usually are. */
export const LONGEST_PARTIAL_MS = 30 * MINUTE_MS;

export function intervalOf(time: number): number {
  return Math.floor(time / INTERVAL_MS) * INTERVAL_MS;
}

/** What is kept of a closed interval: all that its health is told by. */
export const keptFields = [
  'requests',
  'bots',
  'crawlers',
  'status4xx',
  'notFound',
  'status5xx',
  'timed',
  'timeTakenMs',
] as const satisfies readonly (keyof HealthCounts)[];
