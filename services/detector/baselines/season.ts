import {
  dayOf,
  HOURS_OF_WEEK,
  hourOfDay,
  hourOfWeek,
  isLearned,
  placeOf,
  RING_HOURS,
  rounded,
} from './hours.js';
import { clamp, MAD_TO_STD, medianInPlace } from './robust.js';
import { type Baseline, noiseOf } from './state.js';
import { SPARSE_PER_HOUR, SPREAD_PRIOR_WEIGHT, UNKNOWN_RELATIVE_SPREAD, WEEKS_KEPT } from './thresholds.js';

/** A learned hour, with its value divided by the level of its week. */
interface Sample {
  readonly slot: number;
  readonly value: number;
  readonly weight: number;
}

/**
 * Fits the profile to the hours up to `newest`. Each hour of the week has the median over the weeks, scaled
 * to the newest week's level.
 *
 * An hour of the week with few samples is shrunk towards its hour of the day times its day of the week, and
 * that towards the overall average. It takes a fraction of a millisecond, once a day.
 */
export function fitSeason(baseline: Baseline, newest: number): void {
  const samples = readSamples(baseline, newest);
  if (samples.length === 0) return;
  const hits = samples.reduce((sum, sample) => sum + hitsOf(baseline, sample), 0) / samples.length;
  // A median of small counts is biased: it is zero if an hour averages one half.
  const centre = hits < SPARSE_PER_HOUR ? weightedMean : medianOfValues;
  const bySlot = grouped(samples, HOURS_OF_WEEK, (slot) => slot);
  const season = shrunk(samples, bySlot, centre);
  const isSpreadKnown = baseline.known >= 48 && hits >= SPARSE_PER_HOUR;
  const noise = noiseOf(baseline);
  baseline.profile.day = dayOf(newest);
  baseline.profile.hits = rounded(hits);
  baseline.profile.season = season.map(rounded);
  if (hits < SPARSE_PER_HOUR && baseline.known >= 48) baseline.profile.spread.fill(0);
  else if (isSpreadKnown) {
    const chance = bySlot.map((values) => noise / meanHits(baseline, values, hits));
    baseline.profile.spread = spreads(bySlot, season).map((spread, slot) =>
      rounded(Math.sqrt(Math.max(0, spread ** 2 - chance[slot]!))),
    );
  } else baseline.profile.spread.fill(UNKNOWN_RELATIVE_SPREAD);
}

/** The inverse of a sample's relative variance by chance. */
function hitsOf({ kind }: Baseline, { value, weight }: Sample): number {
  return kind === 'count' ? value : weight;
}

function meanHits(baseline: Baseline, samples: readonly Sample[], overall: number): number {
  if (samples.length === 0) return overall;
  return Math.max(1, samples.reduce((sum, sample) => sum + hitsOf(baseline, sample), 0) / samples.length);
}

function readSamples(baseline: Baseline, newest: number): Sample[] {
  const samples: Sample[] = [];
  let level = 1;
  for (let week = 0; week < WEEKS_KEPT; week += 1) {
    if (week > 0) level *= levelOfWeekBefore(baseline, newest, week);
    for (let back = 0; back < HOURS_OF_WEEK; back += 1) {
      const hour = newest - week * HOURS_OF_WEEK - back;
      if (hour < 0) break;
      const value = baseline.values[placeOf(hour)]!;
      if (!isLearned(value)) continue;
      const weight = baseline.kind === 'count' ? 1 : baseline.weights[placeOf(hour)]!;
      samples.push({ slot: hourOfWeek(hour), value: value / level, weight });
    }
  }
  return samples;
}

/** The level of a week over that of the week after it, over the hours known in both. */
function levelOfWeekBefore({ values }: Baseline, newest: number, week: number): number {
  let before = 0;
  let after = 0;
  let both = 0;
  for (let back = 0; back < HOURS_OF_WEEK; back += 1) {
    const hour = newest - week * HOURS_OF_WEEK - back;
    if (hour < 0) break;
    const older = values[placeOf(hour)]!;
    const newer = values[placeOf(hour + HOURS_OF_WEEK)]!;
    if (!isLearned(older) || !isLearned(newer)) continue;
    before += older;
    after += newer;
    both += 1;
  }
  // A few hours are too few for a week's level.
  if (both < 12 || before <= 0 || after <= 0) return 1;
  return clamp(before / after, 0.1, 10);
}

function grouped(samples: readonly Sample[], groups: number, groupOf: (slot: number) => number): Sample[][] {
  const lists: Sample[][] = Array.from({ length: groups }, () => []);
  for (const sample of samples) lists[groupOf(sample.slot)]!.push(sample);
  return lists;
}

type Centre = (samples: readonly Sample[]) => number;

function weightedMean(samples: readonly Sample[]): number {
  let sum = 0;
  let weights = 0;
  for (const { value, weight } of samples) {
    sum += value * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : Number.NaN;
}

function medianOfValues(samples: readonly Sample[]): number {
  return medianInPlace(samples.map(({ value }) => value));
}

/**
 * Weight of n weeks of one hour against the estimate from its day and its hour of the day: one half, four
 * fifths, nine tenths, …
 */
function trustInSlot(n: number): number {
  return n ** 2 / (n ** 2 + 1);
}

function shrunk(samples: readonly Sample[], bySlot: readonly Sample[][], centre: Centre): number[] {
  const overall = weightedMean(samples);
  const ofDay = grouped(samples, 24, hourOfDay).map((list) => {
    // Days are similar: the shape of one day gets most of the weight at once.
    const trust = list.length / (list.length + 0.25);
    return list.length === 0 ? overall : trust * centre(list) + (1 - trust) * overall;
  });
  const ofWeekday = grouped(samples, 7, (slot) => Math.floor(slot / 24)).map((list) => {
    let brought = 0;
    let expected = 0;
    for (const { slot, value, weight } of list) {
      brought += value * weight;
      expected += ofDay[hourOfDay(slot)]! * weight;
    }
    const trust = list.length / (list.length + 12);
    return expected > 0 ? trust * (brought / expected) + (1 - trust) : 1;
  });
  return bySlot.map((list, slot) => {
    const guess = ofDay[hourOfDay(slot)]! * ofWeekday[Math.floor(slot / 24)]!;
    if (list.length === 0) return guess;
    const trust = trustInSlot(list.length);
    return trust * centre(list) + (1 - trust) * guess;
  });
}

/**
 * The relative spread of each hour of the week, including chance: the MAD over its weeks, shrunk towards that
 * of its hour of the day and the neighbouring hours.
 */
function spreads(bySlot: readonly Sample[][], season: readonly number[]): number[] {
  const errors = bySlot.map((samples, slot) => {
    const expected = season[slot]!;
    if (expected <= 0) return [];
    // The expectation was computed from these values, so their distance to it understates the error of the next value. This divisor corrects it.
    const own = samples.length > 0 ? trustInSlot(samples.length) / samples.length : 0;
    return samples.map(({ value }) => Math.abs(value / expected - 1) / (1 - own));
  });
  const ofDay = Array.from({ length: 24 }, (_, hour) => {
    const near: number[] = [];
    for (let slot = hour; slot < HOURS_OF_WEEK; slot += 24) {
      for (const beside of [HOURS_OF_WEEK - 1, 0, 1]) near.push(...errors[(slot + beside) % HOURS_OF_WEEK]!);
    }
    return near.length >= 3 ? MAD_TO_STD * medianInPlace(near) : UNKNOWN_RELATIVE_SPREAD;
  });
  return errors.map((own, slot) => {
    const usual = ofDay[hourOfDay(slot)]!;
    // A Saturday cannot be predicted from its Friday.
    if (own.length === 0) return Math.max(usual, UNKNOWN_RELATIVE_SPREAD);
    if (own.length < 3) return usual;
    const n = own.length;
    const mad = MAD_TO_STD * medianInPlace(own);
    return Math.sqrt((n * mad ** 2 + SPREAD_PRIOR_WEIGHT * usual ** 2) / (n + SPREAD_PRIOR_WEIGHT));
  });
}

/** Number of learned hours in the ring. */
export function knownHours(values: readonly number[]): number {
  let known = 0;
  for (let place = 0; place < RING_HOURS; place += 1) if (isLearned(values[place]!)) known += 1;
  return known;
}
