import { hourOfWeek, isLearned, placeOf, rounded } from './hours.js';
import { clamp } from './robust.js';
import type { Baseline, BaselineKind } from './state.js';
import { LEVEL_CLIP, LEVEL_HALF_LIFE_HOURS, LEVEL_HOURS } from './thresholds.js';

const DECAY = 0.5 ** (1 / LEVEL_HALF_LIFE_HOURS);

/** Hits of the profile that are added to both sides, so that a few hits are no new level. */
const PRIOR_HITS = 10;

/**
 * Fits the level of the hours up to `newest`: actual over expected values, as an exponentially weighted
 * moving average of sums. Single hours are clipped around the level, which in the first pass is the plain
 * average.
 */
export function fitLevel(baseline: Baseline, newest: number): void {
  const plain = weighted(baseline, newest, undefined);
  if (plain !== undefined) baseline.profile.level = rounded(weighted(baseline, newest, plain) ?? plain);
}

function weighted(baseline: Baseline, newest: number, around: number | undefined): number | undefined {
  const { kind, values, weights, profile } = baseline;
  let brought = 0;
  let expected = 0;
  let hits = 0;
  let decay = 1;
  for (let hour = newest; hour > newest - LEVEL_HOURS && hour >= 0; hour -= 1, decay *= DECAY) {
    const value = values[placeOf(hour)]!;
    if (!isLearned(value)) continue;
    const season = profile.season[hourOfWeek(hour)]!;
    const weight = decay * (kind === 'count' ? 1 : weights[placeOf(hour)]!);
    brought +=
      weight *
      (around === undefined
        ? value
        : pulledIn(value, season * around, hitsOf(kind, season * around, weights[placeOf(hour)])));
    expected += weight * season;
    hits += decay * hitsOf(kind, season, kind === 'count' ? 1 : weights[placeOf(hour)]);
  }
  if (!(expected > 0) || !(hits > 0)) return undefined;
  const prior = (expected / hits) * PRIOR_HITS;
  return clamp((brought + prior) / (expected + prior), 0.01, 100);
}

function hitsOf(kind: BaselineKind, value: number, weight = 1): number {
  return kind === 'count' ? value : weight;
}

/** Small counts are clipped only at three standard deviations, since their noise is no outlier. */
function pulledIn(value: number, centre: number, hits: number): number {
  const reach = hits > 0 ? centre * Math.max(LEVEL_CLIP, 3 / Math.sqrt(hits)) : Number.POSITIVE_INFINITY;
  return clamp(value, centre - reach, centre + reach);
}
