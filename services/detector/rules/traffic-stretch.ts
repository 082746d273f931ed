import { MINUTE_MS } from '../../../shared/durations.js';
import { clamp } from '../baselines/robust.js';
import type { Remainder } from '../counts/remainder.js';
import type { WebsiteView, WindowView } from './rule.js';

/**
 * The input of the spike and drop rules: all requests and those of people, in each stretch of up to an hour
 * before the window's end.
 *
 * People count separately, because half of a quiet website's requests may be machines that never change. A
 * third of its people is then still two thirds of its requests. Longer stretches vary less by chance.
 */
export interface TrafficStretch {
  readonly of: 'requests' | 'people';
  readonly start: number;
  /** Whether it is longer than a burst or a pause. */
  readonly isLasting: boolean;
  readonly value: number;
  /** Without clients that other rules report. */
  readonly remainder: number;
  /** The remainder without addresses that guess passwords or paths, and without refusals of people. */
  readonly served: number;
  /** The expected value, and its relative spread. */
  readonly mean: number;
  readonly spread: number;
  /** People's part of the excess; negative if people are fewer than usual. */
  readonly excessOfPeople: number;
  /** The day's level over the expected one. A stretch at that level is not news. */
  readonly quietDay: number;
  readonly busyDay: number;
  /** The newest window over its usual value: a change that has ended is no finding. */
  readonly newestTimes: number;
  readonly isDelivered: boolean;
}

/**
 * Longer than the usual window of a quarter of an hour, in which a mail campaign or a bus of visitors may
 * come and go.
 */
const LASTING_MS = 20 * MINUTE_MS;

/** The stretches with a known expectation, shorter before longer, and all requests before people. */
export function trafficStretches(
  window: WindowView,
  { stretches, lately, level }: WebsiteView,
): readonly TrafficStretch[] {
  const left = ({ requests, people, failing }: Remainder) => ({
    requests: Math.max(0, requests - failing.requests),
    people: Math.max(0, people - failing.people),
  });
  const newest = {
    requests: left(window.remainder).requests / Math.max(1, window.judged.traffic.mean),
    people: left(window.remainder).people / Math.max(1, window.judged.people.mean),
  };
  return stretches.flatMap(({ start, remainder, traffic, people, isDelivered }) =>
    (['requests', 'people'] as const).flatMap((of) => {
      const { status, value, std, ...expected } = of === 'people' ? people : traffic;
      if (status === 'insufficient_data' || !(std > 0)) return [];
      // Even if requests never come at this hour, one may.
      const mean = Math.max(1, expected.mean);
      const isLasting = window.end - start >= LASTING_MS;
      const spread = std / mean;
      const excessOfPeople = remainder.people - people.mean;
      // error_rate reports refusals: programs that guess passwords are no visitors, even if each address
      // guesses only a few times.
      const { errors, notFound, status5xx } = remainder.ofPeople;
      const otherRefusals = Math.max(0, errors - notFound - status5xx - remainder.failing.people);
      const served = left(remainder)[of] - otherRefusals;
      const counted = { value, remainder: remainder[of], served, excessOfPeople };
      const own = { ...counted, mean, spread, ...dayOf(lately[of], level[of]) };
      return [{ ...own, of, start, isLasting, newestTimes: newest[of], isDelivered }];
    }),
  );
}

/** A level nearer to 1 is noise. */
const SAME_LEVEL = 0.1;
const FARTHEST_LEVEL = 1.6;

/**
 * Compares with the current day if it is quiet or busy. On the next day it compares with a usual day: the
 * level still reflects the day before when the usual traffic returns. It never makes a rule more sensitive.
 */
function dayOf(lately: number, level: number) {
  const back = Math.abs(level - 1) < SAME_LEVEL ? 1 : clamp(1 / level, 1 / FARTHEST_LEVEL, FARTHEST_LEVEL);
  return { quietDay: Math.min(1, lately, back), busyDay: Math.max(1, lately, back) };
}

/**
 * Distance of a value from the usual, in deviations of the square root. People come in visits of several
 * requests. For such sums this is accurate on both sides, where z overstates spikes and understates drops,
 * and the logarithm does the reverse.
 */
export function rootDeviations(value: number, usual: number, spread: number): number {
  return (2 * (Math.sqrt(value / usual) - 1)) / spread;
}
