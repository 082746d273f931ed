import { judge, learn, newBaseline } from '../../../services/detector/baselines/baseline.js';
import type { Judgement } from '../../../services/detector/baselines/judgement.js';
import type { Baseline } from '../../../services/detector/baselines/state.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/** Seeded series that resemble those of websites. */

/** A Monday, 00:00 UTC. */
export const MONDAY = Date.UTC(2026, 0, 5);

export type Random = () => number;

/** Uniform in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function poisson(random: Random, mean: number): number {
  if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  let count = -1;
  for (let left = 1, least = Math.exp(-mean); left > least; count += 1) left *= random();
  return Math.max(0, count);
}

/** 0.3 at night to 1.7 at midday; six tenths on weekends. */
export function seasonAt(time: number): number {
  const hour = (time % DAY_MS) / HOUR_MS;
  const day = Math.floor((time - MONDAY) / DAY_MS) % 7;
  return (1 - 0.7 * Math.cos((2 * Math.PI * (hour - 2)) / 24)) * (day >= 5 ? 0.6 : 1);
}

export interface Tally {
  readonly baseline: Baseline;
  readonly judged: readonly { start: number; judgement: Judgement }[];
}

/**
 * Plays `days` of 5-minute intervals: each is judged, then learned according to its status; undefined: not
 * delivered.
 */
export function play(
  valueAt: (time: number) => number | undefined,
  days: number,
  baseline: Baseline = newBaseline('count'),
  samplesAt?: (time: number) => number,
  from = MONDAY,
): Tally {
  const judged: { start: number; judgement: Judgement }[] = [];
  for (let start = from; start < from + days * DAY_MS; start += INTERVAL_MS) {
    const value = valueAt(start);
    if (value === undefined) continue;
    const samples = samplesAt?.(start) ?? value;
    const judgement = judge(baseline, { start, end: start + INTERVAL_MS, value, samples });
    judged.push({ start, judgement });
    learn(
      baseline,
      { start, value, samples },
      judgement.status === 'warning' || judgement.status === 'critical',
    );
  }
  return { baseline, judged };
}

/** The share of the windows from `after` on whose |z| is at least `z`. */
export function shareBeyond(
  { judged }: Tally,
  z: number,
  after: number,
  until = Number.POSITIVE_INFINITY,
): number {
  const windows = judged.filter(({ start }) => start >= after && start < until);
  return windows.filter(({ judgement }) => Math.abs(judgement.z) >= z).length / windows.length;
}
