import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { HOURS_OF_WEEK, hourOf, hourOfWeek, INTERVALS_OF_HOUR } from './hours.js';
import { clamp } from './robust.js';
import type { Baseline } from './state.js';

export interface Expectation {
  /** For a count, the sum over the window. For a mean, the average over it. */
  readonly mean: number;
  /** Relative, in addition to the noise of counting. */
  readonly spread: number;
}

/** The profile's expectation for the whole intervals in [start, end), interpolated between hours. */
export function expect(baseline: Baseline, start: number, end: number): Expectation {
  let mean = 0;
  let spread = 0;
  let pieces = 0;
  for (let time = start; time < end || pieces === 0; time += INTERVAL_MS) {
    const rate = rateAt(baseline.profile.season, time + INTERVAL_MS / 2) * baseline.profile.level;
    mean += rate;
    spread += rate * baseline.profile.spread[hourOfWeek(hourOf(time))]!;
    pieces += 1;
  }
  const relative = mean > 0 ? spread / mean : baseline.profile.spread[hourOfWeek(hourOf(start))]!;
  return { mean: baseline.kind === 'count' ? mean / INTERVALS_OF_HOUR : mean / pieces, spread: relative };
}

/** Interpolates each hour linearly towards its neighbours, and preserves the hour's average. */
function rateAt(season: readonly number[], time: number): number {
  const slot = hourOfWeek(hourOf(time));
  const here = season[slot]!;
  const rise = season[(slot + 1) % HOURS_OF_WEEK]! - here;
  const risen = here - season[(slot + HOURS_OF_WEEK - 1) % HOURS_OF_WEEK]!;
  // The position of a peak or a trough within the hour is unknown.
  if (rise * risen <= 0) return here;
  const most = 2 * Math.min(Math.abs(rise), Math.abs(risen), here);
  const slope = clamp((rise + risen) / 2, -most, most);
  return here + slope * ((time % HOUR_MS) / HOUR_MS - 0.5);
}

/** Usual requests in the busiest hour of the week. */
export function busiestHourOf({ profile }: Baseline): number {
  return Math.max(...profile.season) * profile.level;
}
