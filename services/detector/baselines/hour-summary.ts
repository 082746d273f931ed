import { INTERVALS_OF_HOUR } from './hours.js';
import { clamp, median, robustSpread } from './robust.js';
import { type Baseline, type BaselineKind, type GatheredInterval, noiseOf } from './state.js';
import { HOUR_CLIP, NOISE_CLIP, NOISE_MEMORY_INTERVALS } from './thresholds.js';

export interface HourSummary {
  /** For counts, extrapolated to the whole hour. */
  readonly value: number;
  readonly weight: number;
}

/** Summarises intervals of one hour, with clipped bursts; undefined without data (a mean of no requests). */
export function summarise(
  kind: BaselineKind,
  intervals: readonly GatheredInterval[],
): HourSummary | undefined {
  const weighed = kind === 'count' ? intervals : intervals.filter(([, samples]) => samples > 0);
  if (weighed.length === 0) return undefined;
  const values = weighed.map(([value]) => value);
  const middle = median(values);
  // For small counts, Poisson noise is no burst.
  const least = kind === 'count' ? Math.sqrt(Math.max(middle, 1)) : 0.1 * middle;
  const reach = HOUR_CLIP * Math.max(robustSpread(values, middle), least);
  let sum = 0;
  let weight = 0;
  for (const [value, samples] of weighed) {
    const own = kind === 'count' ? 1 : samples;
    sum += own * clamp(value, middle - reach, middle + reach);
    weight += own;
  }
  return kind === 'count'
    ? { value: (sum / weight) * INTERVALS_OF_HOUR, weight: 1 }
    : { value: sum / weight, weight };
}

/**
 * Learns from neighbouring intervals how much more they differ than by chance. Von Neumann's estimate ignores
 * a trend within the hour.
 */
export function learnNoise(
  baseline: Baseline,
  intervals: readonly GatheredInterval[],
  hour: HourSummary,
): void {
  const chanceOf = chanceIn(baseline.kind, hour);
  const most = NOISE_CLIP * noiseOf(baseline);
  for (let index = 1; index < intervals.length; index += 1) {
    const [before, samplesBefore] = intervals[index - 1]!;
    const [after, samplesAfter] = intervals[index]!;
    const chance = chanceOf(samplesBefore) + chanceOf(samplesAfter);
    if (!(chance > 0) || !Number.isFinite(chance)) continue;
    baseline.noise.sum += Math.min(most, (after - before) ** 2 / chance);
    baseline.noise.count += 1;
  }
  if (baseline.noise.count > NOISE_MEMORY_INTERVALS) {
    const share = NOISE_MEMORY_INTERVALS / baseline.noise.count;
    baseline.noise.sum *= share;
    baseline.noise.count *= share;
  }
}

/** The variance of an interval by chance; NaN if it is too small for its square to mean anything. */
function chanceIn(kind: BaselineKind, { value }: HourSummary): (samples: number) => number {
  const perInterval = value / INTERVALS_OF_HOUR;
  if (kind === 'count') return () => (perInterval >= 0.5 ? perInterval : Number.NaN);
  return (samples) => value ** 2 / samples;
}
