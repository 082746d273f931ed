import type { Judgement } from '../baselines/judgement.js';
import { nothingSeen, noveltyOf, remember, type Seen } from './novelty.js';

/**
 * Judges a gauge (a level, such as an average latency; no count) by what it has never shown before: how new is the value, how new is the
 * level of the last two hours, and how new is the distance from what its baseline expects at this hour. A baseline by the hour of the
 * week tells that a level is high for its hour; this tells a sudden change of shape, at once and also where no hour is like another.
 * Knows nothing of what comes later. Plain JSON.
 */
export interface Gauge {
  readonly values: Seen;
  readonly levels: Seen;
  readonly errors: Seen;
  /** The last values, the newest last. */
  readonly recent: number[];
  /** Scores that no later one of the last `REST` has passed, falling, each with its number. */
  readonly peaks: [number: number, score: number][];
  count: number;
}

/** From this score on a value counts as new. Chosen on every other series of the Numenta benchmark (test/bench/detector). */
export const NOVEL = 0.38;

/** A level is what so many measurements average to: two hours of 5-minute intervals. */
const LEVEL_SAMPLES = 24;
/** For so many measurements after a score only a higher one is news: ten hours of 5-minute intervals. */
const REST = 120;
/** Halves the scale of scores: a novelty of three tenths of the gauge's own scale scores one half. */
const HALF_SCORE = 0.3;
/** Of what is expected, added to both sides of its ratio: next to nothing is not infinitely far from nothing. */
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
 * The score of the next measurement, 0 to below 1, by what its baseline says of it before it learns it. 0 is what was seen before, and
 * what is less of a novelty than one just before it, so that a thing is said once. Mutates.
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

/** The logarithm of the value over what is expected of it. */
function errorOf(value: number, mean: number): number {
  const floor = RATIO_FLOOR * mean + Number.EPSILON;
  return Math.log((Math.max(0, value) + floor) / (mean + floor));
}

/** Whether it is above every score of the last while; what is not, repeats what was said. Mutates. */
function isPeak({ peaks, count }: Gauge, score: number): boolean {
  while (peaks.length > 0 && peaks[0]![0] < count - REST) peaks.shift();
  const highest = peaks[0]?.[1] ?? 0;
  while (peaks.length > 0 && peaks.at(-1)![1] <= score) peaks.pop();
  peaks.push([count, score]);
  return score > highest;
}
