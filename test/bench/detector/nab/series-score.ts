import { learn, maturityOf, newBaseline } from '../../../../services/detector/baselines/baseline.js';
import { INTERVAL_MS } from '../../../../services/detector/baselines/hours.js';
import { judgeWindow } from '../../../../services/detector/baselines/judge-window.js';
import type { Baseline } from '../../../../services/detector/baselines/state.js';
import { WARNING_Z } from '../../../../shared/detection/health-metrics.js';
import { nothingSeen, noveltyOf, remember, type Seen } from './novelty.js';

/**
 * The yardstick of what can be said of any series, which no part of the detector uses (docs/detector.md, "Numenta's benchmark"). Scores a series of measurements, one by one as they come: how new is the value, how new is the level of the last while,
 * and how new is the distance from what the baseline expects at this hour. Knows nothing of what comes later. Plain JSON.
 */
export interface SeriesState {
  readonly baseline: Baseline;
  readonly values: Seen;
  readonly levels: Seen;
  readonly errors: Seen;
  /** The last values, the newest last. */
  recent: number[];
  /** Scores that no later one of the last `REST` has passed, falling, each with its number. */
  peaks: [number: number, score: number][];
  count: number;
}

/** A level is what so many samples average to: two hours of 5-minute intervals. */
const LEVEL_SAMPLES = 24;
/** For so many samples after a score only a higher one is news: ten hours of 5-minute intervals. */
const REST = 120;
/** Halves the scale of scores: a novelty of three tenths of the series' own scale scores one half. */
const HALF_SCORE = 0.3;
/** A series of measurements says nothing of the requests behind them: any number that is enough does. */
export const SAMPLES = 1_000;
/** Of what is expected, added to both sides of its ratio: next to nothing is not infinitely far from nothing. */
const RATIO_FLOOR = 0.05;

export function newSeries(): SeriesState {
  return {
    baseline: newBaseline('mean'),
    values: nothingSeen(),
    levels: nothingSeen(),
    errors: nothingSeen(),
    recent: [],
    peaks: [],
    count: 0,
  };
}

/**
 * The score of the next measurement, 0 to below 1. `start`: milliseconds since the epoch; `lasts`: milliseconds that it
 * stands for, to the next one. 0 is what was seen before, and what is less of a novelty than one just before it.
 */
export function scoreNext(
  series: SeriesState,
  { start, lasts, value }: { start: number; lasts: number; value: number },
): number {
  series.recent.push(value);
  if (series.recent.length > LEVEL_SAMPLES) series.recent.shift();
  const error = errorOf(series.baseline, start, lasts, value);
  let novelty = takeIn(series.values, value);
  if (series.recent.length === LEVEL_SAMPLES) novelty += takeIn(series.levels, average(series.recent));
  if (error !== undefined) novelty += takeIn(series.errors, error);
  series.count += 1;
  return isPeak(series, novelty) ? novelty / (novelty + HALF_SCORE) : 0;
}

function takeIn(seen: Seen, value: number): number {
  const novelty = noveltyOf(seen, value);
  remember(seen, value);
  return novelty;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The logarithm of the value over what is expected of it, which it then learns from; undefined while that is unknown. */
function errorOf(baseline: Baseline, start: number, lasts: number, value: number): number | undefined {
  const from = Math.floor(start / INTERVAL_MS) * INTERVAL_MS;
  const end = from + Math.max(1, Math.round(lasts / INTERVAL_MS)) * INTERVAL_MS;
  const bounded = Math.max(0, value);
  const { mean, z } = judgeWindow(baseline, { start: from, end, value: bounded, samples: SAMPLES });
  const isKnown = maturityOf(baseline).status !== 'building';
  for (let interval = from; interval < end; interval += INTERVAL_MS) {
    learn(
      baseline,
      { start: interval, value: bounded, samples: SAMPLES },
      isKnown && Math.abs(z) >= WARNING_Z,
    );
  }
  const floor = RATIO_FLOOR * mean + Number.EPSILON;
  return isKnown ? Math.log((bounded + floor) / (mean + floor)) : undefined;
}

/** Whether it is above every score of the last while; what is not, repeats what was said. Mutates. */
export function isPeak(series: Pick<SeriesState, 'peaks' | 'count'>, score: number): boolean {
  while (series.peaks.length > 0 && series.peaks[0]![0] < series.count - REST) series.peaks.shift();
  const highest = series.peaks[0]?.[1] ?? 0;
  while (series.peaks.length > 0 && series.peaks.at(-1)![1] <= score) series.peaks.pop();
  series.peaks.push([series.count, score]);
  return score > highest;
}
