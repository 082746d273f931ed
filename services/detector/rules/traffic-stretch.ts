import type { Judgement } from '../baselines/judgement.js';
import type { WebsiteView, WindowView } from './rule.js';

/**
 * What spikes and drops of traffic are looked for in: all requests and those of people, of the window and of the hour up to its end.
 * People by themselves, for half of a quiet website's requests may be machines that never change: a third of its people then is still
 * two thirds of its requests. The hour, for chance takes less from it than from a window.
 */
export interface TrafficStretch {
  readonly of: 'requests' | 'people';
  readonly start: number;
  readonly isHour: boolean;
  readonly judged: Judgement;
  /** Without those that other rules name. */
  readonly remainder: number;
  /** What the newest window alone is of its usual: what is over by then is no finding. */
  readonly newestTimes: number;
  readonly isDelivered: boolean;
}

/** Those of which something can be said; windows before hours, all requests before people. */
export function trafficStretches(window: WindowView, { hour }: WebsiteView): readonly TrafficStretch[] {
  const { judged, remainder, isDelivered, start } = window;
  const newest = {
    requests: remainder.requests / judged.traffic.mean,
    people: remainder.people / judged.people.mean,
  };
  const stretches: readonly TrafficStretch[] = [
    stretch('requests', false, start, judged.traffic, remainder, newest, isDelivered),
    stretch('people', false, start, judged.people, remainder, newest, isDelivered),
    stretch('requests', true, hour.start, hour.traffic, hour.remainder, newest, hour.isDelivered),
    stretch('people', true, hour.start, hour.people, hour.remainder, newest, hour.isDelivered),
  ];
  return stretches.filter(
    ({ isHour, start: from, judged: { status, std } }) =>
      (!isHour || from < start) && status !== 'insufficient_data' && std > 0,
  );
}

function stretch(
  of: TrafficStretch['of'],
  isHour: boolean,
  start: number,
  judged: Judgement,
  remainder: Readonly<Record<TrafficStretch['of'], number>>,
  newest: Readonly<Record<TrafficStretch['of'], number>>,
  isDelivered: boolean,
): TrafficStretch {
  return { of, start, isHour, judged, remainder: remainder[of], newestTimes: newest[of], isDelivered };
}
