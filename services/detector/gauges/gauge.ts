import type { Judgement } from '../baselines/judgement.js';
import { nothingSeen, noveltyOf, remember, type Seen } from './novelty.js';

/**
 * Scores a gauge, which is a level such as an average latency, by its novelty. The score adds the novelty of
 * the value, of the level of the last two hours, and of the distance from the baseline's expectation for this
 * hour.
 *
 * A baseline by the hour of the week shows that a level is high for its hour. A gauge shows a sudden change,
 * at once and even if hours have no pattern. It uses no later data. Plain JSON.
 */
export interface Gauge {
  readonly values: Seen;
  readonly levels: Seen;
  readonly errors: Seen;
  /** The last values, oldest first. */
  readonly recent: number[];
  /**
   * Scores of the last `REST` measurements that no later one exceeds, in falling order, each with its index.
   */
  readonly peaks: [number: number, score: number][];
  count: number;
}

/** Scores from here on are reported. Chosen on every other series of NAB (docs/alerts.md). */
export const NOVEL = 0.38;

/** A level is the average of this many measurements: two hours of 5-minute intervals. */
const LEVEL_SAMPLES = 24;
/**
 * For this many measurements after a score only a higher one is reported: ten hours of 5-minute intervals.
 */
const REST = 120;
/** The novelty that scores one half: three tenths of the gauge's own scale. */
const HALF_SCORE = 0.3;
/**
 * Share of the expected value that is added to both sides of the ratio, so that values near zero stay
 * comparable.
 */
const RATIO_FLOOR = 0.05;

export function newGauge(): Gauge {
  return {
    values: nothingSeen(),
    levels: nothingSeen(),
    errors: nothingSeen(),
    recent: [],
    peaks: [],
    count: 0,
  };
}

/**
 * The score of the next measurement, 0 to below 1, from the baseline's judgement before it learns it. It is 0
 * for values that were seen before, and for less novelty than shortly before, so that a change is reported
 * once. Mutates.
 */
export function scoreNext(gauge: Gauge, { value, mean, status }: Judgement): number {
  gauge.recent.push(value);
  if (gauge.recent.length > LEVEL_SAMPLES) gauge.recent.shift();
  let novelty = takeIn(gauge.values, value);
  if (gauge.recent.length === LEVEL_SAMPLES) novelty += takeIn(gauge.levels, average(gauge.recent));
  if (status !== 'insufficient_data') novelty += takeIn(gauge.errors, errorOf(value, mean));
  gauge.count += 1;
  return isPeak(gauge, novelty) ? novelty / (novelty + HALF_SCORE) : 0;
}

function takeIn(seen: Seen, value: number): number {
  const novelty = noveltyOf(seen, value);
  remember(seen, value);
  return novelty;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The logarithm of the value over its expected value. */
function errorOf(value: number, mean: number): number {
  const floor = RATIO_FLOOR * mean + Number.EPSILON;
  return Math.log((Math.max(0, value) + floor) / (mean + floor));
}

/** Whether the score is above all recent scores. Otherwise it repeats a reported change. Mutates. */
function isPeak({ peaks, count }: Gauge, score: number): boolean {
  while (peaks.length > 0 && peaks[0]![0] < count - REST) peaks.shift();
  const highest = peaks[0]?.[1] ?? 0;
  while (peaks.length > 0 && peaks.at(-1)![1] <= score) peaks.pop();
  peaks.push([count, score]);
  return score > highest;
}
