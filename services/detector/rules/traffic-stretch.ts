import { MINUTE_MS } from '../../../shared/durations.js';
import { clamp } from '../baselines/robust.js';
import type { Remainder } from '../counts/remainder.js';
import type { WebsiteView, WindowView } from './rule.js';

/**
 * What spikes and drops of traffic are looked for in: all requests and those of people, of each stretch of up to an hour up to the window's
 * end. People by themselves, for half of a quiet website's requests may be machines that never change: a third of its people then is
 * still two thirds of its requests. The longer ones, for chance takes less from them.
 */
export interface TrafficStretch {
  readonly of: 'requests' | 'people';
  readonly start: number;
  /** Whether it is too long for a burst or a pause: it lasts by itself. */
  readonly isLasting: boolean;
  readonly value: number;
  /** Without those that other rules name. */
  readonly remainder: number;
  /** The remainder without addresses that guess passwords or paths, and without what people were refused. */
  readonly served: number;
  /** What is expected of it, and the spread of that relative to it. */
  readonly mean: number;
  readonly spread: number;
  /** People's part of what is above the usual; negative where people are fewer than usual. */
  readonly excessOfPeople: number;
  /** The day as it is, over what is expected: at least so little, and at most so much, is no news. */
  readonly quietDay: number;
  readonly busyDay: number;
  /** What the newest window alone is of its usual: what is over by then is no finding. */
  readonly newestTimes: number;
  readonly isDelivered: boolean;
}

/** More than the usual window of a quarter of an hour, in which a campaign's mail or a crowded bus of visitors may come and go. */
const LASTING_MS = 20 * MINUTE_MS;

/** Those of which something can be said; the shorter before the longer, all requests before people. */
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
      // What never comes at this hour may come once.
      const mean = Math.max(1, expected.mean);
      const isLasting = window.end - start >= LASTING_MS;
      const spread = std / mean;
      const excessOfPeople = remainder.people - people.mean;
      // error_rate reports refusals: programs that guess passwords are no visitors, also where each address guesses a few times.
      const { errors, notFound, status5xx } = remainder.ofPeople;
      const otherRefusals = Math.max(0, errors - notFound - status5xx - remainder.failing.people);
      const served = left(remainder)[of] - otherRefusals;
      const counted = { value, remainder: remainder[of], served, excessOfPeople };
      const own = { ...counted, mean, spread, ...dayOf(lately[of], level[of]) };
      return [{ ...own, of, start, isLasting, newestTimes: newest[of], isDelivered }];
    }),
  );
}

/** A level that is nearer to 1 is noise. */
const SAME_LEVEL = 0.1;
const FARTHEST_LEVEL = 1.6;

/**
 * On a day that is quiet as it is a stretch is held against that day, and on the next one against a usual day: the level is still that of the
 * quiet one when the usual traffic is back. It never makes a rule more eager.
 */
function dayOf(lately: number, level: number) {
  const back = Math.abs(level - 1) < SAME_LEVEL ? 1 : clamp(1 / level, 1 / FARTHEST_LEVEL, FARTHEST_LEVEL);
  return { quietDay: Math.min(1, lately, back), busyDay: Math.max(1, lately, back) };
}

/**
 * How far a value lies from what is usual, in deviations of the square root. People come in visits of several requests: of such sums this
 * is how unlikely they are, on either side, where z is too bold above and too shy below, and the logarithm the other way round.
 */
export function rootDeviations(value: number, usual: number, spread: number): number {
  return (2 * (Math.sqrt(value / usual) - 1)) / spread;
}
