import { type HealthStatus, WARNING_Z } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { expect } from './expectation.js';
import type { Judgement } from './judgement.js';
import { clamp } from './robust.js';
import { type Baseline, noiseOf } from './state.js';
import { countZ } from './tails.js';
import {
  CRITICAL_Z,
  LEAST_HITS,
  LEAST_PER_HOUR,
  LEAST_RELATIVE_SPREAD,
  LEAST_TIMED,
  SPARSE_PER_HOUR,
} from './thresholds.js';

export interface Window {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly samples: number;
}

/** Compares the window with the profile, even if the baseline is too young for a status. */
export function judgeWindow(baseline: Baseline, window: Window): Judgement {
  const expected = expect(baseline, window.start, window.end);
  if (baseline.kind === 'count') return judgeCount(baseline, window, expected.mean, expected.spread);
  return judgeMean(baseline, window, expected.mean, expected.spread);
}

/** How much wider the spread was than estimated; never narrower. */
function widening({ surprise }: Baseline): number {
  return Math.max(1, surprise);
}

function judgeCount(
  baseline: Baseline,
  { start, end, value }: Window,
  mean: number,
  spread: number,
): Judgement {
  const hours = Math.max((end - start) / HOUR_MS, 1 / 12);
  const least = Math.max(mean, LEAST_PER_HOUR * hours);
  const wide = widening(baseline);
  const relative = Math.max(LEAST_RELATIVE_SPREAD, spread * Math.sqrt(wide));
  // max(MAD-based, Poisson, 10 %): the first one adds the noise of counting and the day's own variation.
  const dispersion = Math.max(
    noiseOf(baseline) * wide + spread ** 2 * wide * least,
    relative ** 2 * least,
    1,
  );
  const std = Math.sqrt(dispersion * least);
  if (least / hours >= SPARSE_PER_HOUR) return withStatus(value, mean, std, (value - mean) / std, true);
  const z = countZ(value, least, dispersion);
  return withStatus(value, mean, std, z, z < 0 || value >= LEAST_HITS);
}

function judgeMean(baseline: Baseline, { value, samples }: Window, mean: number, spread: number): Judgement {
  const wide = widening(baseline);
  const requests = Math.max(samples, 1);
  const relative = Math.max(
    Math.sqrt((noiseOf(baseline) / requests + spread ** 2) * wide),
    LEAST_RELATIVE_SPREAD,
  );
  const std = relative * mean;
  if (samples < LEAST_TIMED || !(std > 0)) return withStatus(value, mean, std, 0, false);
  const z = (value - mean) / std;
  return withStatus(value, mean, std, z, z > 0);
}

/** `z` is bounded so that it stays a number in JSON and in columns. A non-finite `z` counts as 0. */
function withStatus(value: number, mean: number, std: number, z: number, isTelling: boolean): Judgement {
  const bounded = Number.isFinite(z) ? clamp(z, -1_000, 1_000) : 0;
  return { value, mean, std, z: bounded, status: isTelling ? statusOf(Math.abs(bounded)) : 'normal' };
}

function statusOf(distance: number): HealthStatus {
  if (distance >= CRITICAL_Z) return 'critical';
  return distance >= WARNING_Z ? 'warning' : 'normal';
}
