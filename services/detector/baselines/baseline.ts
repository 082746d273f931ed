import type { Maturity } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { learnNoise, summarise } from './hour-summary.js';
import {
  asLearned,
  dayOf,
  HOURS_OF_WEEK,
  heldOut,
  hourOf,
  hourOfDay,
  hourOfWeek,
  INTERVALS_OF_HOUR,
  isHeldOut,
  isLearned,
  NOTHING,
  placeOf,
  RING_HOURS,
  rounded,
} from './hours.js';
import { judgeWindow, type Window } from './judge-window.js';
import type { Judgement } from './judgement.js';
import { fitLevel } from './level.js';
import { fitSeason, knownHours } from './season.js';
import { type Baseline, type BaselineKind, emptyState, type GatheredInterval } from './state.js';
import {
  BUILDING_HOURS,
  DAYS_UNTIL_NORMAL,
  HOURS_OF_A_NEW_LEVEL,
  LEAST_INTERVALS_OF_HOUR,
  MATURE_HOURS,
  SURPRISE_CLIP,
  SURPRISE_MEMORY_HOURS,
  WEEKS_UNTIL_NORMAL,
} from './thresholds.js';

/** The usual value of a website's metric by hour of the week, and its usual deviation. */

export function newBaseline(kind: BaselineKind): Baseline {
  return emptyState(kind);
}

/**
 * Adds a 5-minute interval. Call it in time order, once for each interval; earlier intervals are ignored. An
 * interval without delivered logs must be omitted: it is a gap, not a zero. `value`: a count or an average;
 * `samples`: the requests of an average.
 *
 * Anomalous values are excluded from learning. After more than three consecutive days at the same hour, or
 * two consecutive weeks at the same hour of the week, they become normal, including the excluded ones.
 */
export function learn(
  baseline: Baseline,
  point: { start: number; value: number; samples: number },
  isJudgedAnomalous: boolean,
): void {
  const hour = hourOf(point.start);
  const isEmpty = baseline.kind !== 'count' && !(point.samples > 0);
  const value = isEmpty ? 0 : point.value;
  if (hour < baseline.hour || !Number.isFinite(value) || value < 0) return;
  if (hour > baseline.hour) {
    closeHour(baseline);
    openHour(baseline, hour);
  }
  baseline.gathered.push([rounded(value), isEmpty ? 0 : rounded(point.samples), isJudgedAnomalous ? 1 : 0]);
}

/**
 * Compares whole intervals with their usual values: in both directions for counts, only upwards for means.
 */
export function judge(baseline: Baseline, window: Window): Judgement {
  const judgement = judgeWindow(baseline, window);
  if (maturityOf(baseline).status !== 'building') return judgement;
  return { ...judgement, z: 0, status: 'insufficient_data' };
}

/** `observations`: the number of 5-minute intervals of the last weeks with learned data. */
export function maturityOf(baseline: Baseline): { status: Maturity; observations: number } {
  const observations = baseline.known * INTERVALS_OF_HOUR + baseline.gathered.length;
  if (baseline.known < BUILDING_HOURS) return { status: 'building', observations };
  return { status: baseline.known < MATURE_HOURS ? 'warming_up' : 'mature', observations };
}

/** Clears the entries of the hours since the last one, which contain values from five weeks ago. */
function openHour(baseline: Baseline, hour: number): void {
  const from = baseline.hour < 0 ? hour : Math.max(baseline.hour + 1, hour - RING_HOURS + 1);
  for (let passed = from; passed <= hour; passed += 1) put(baseline, passed, NOTHING, 0);
  baseline.hour = hour;
  baseline.gathered = [];
}

function put(baseline: Baseline, hour: number, place: number, weight: number): void {
  baseline.values[placeOf(hour)] = rounded(place);
  if (baseline.kind !== 'count') baseline.weights[placeOf(hour)] = rounded(weight);
}

function closeHour(baseline: Baseline): void {
  const { hour, gathered, kind } = baseline;
  if (gathered.length < LEAST_INTERVALS_OF_HOUR) return;
  const clean = gathered.filter(([, , isAnomalous]) => isAnomalous === 0);
  const isClean = clean.length >= LEAST_INTERVALS_OF_HOUR;
  const taken: GatheredInterval[] = isClean ? clean : gathered;
  const summary = summarise(kind, taken);
  if (summary === undefined) return;
  learnSurprise(baseline, summary.value, summary.weight, isClean);
  if (isClean) learnNoise(baseline, taken, summary);
  put(baseline, hour, isClean ? summary.value : heldOut(summary.value), summary.weight);
  const isAdopted = !isClean && countHeldOut(baseline);
  if (isClean) {
    baseline.heldOutDays[hourOfDay(hour)] = 0;
    baseline.heldOutWeeks[hourOfWeek(hour)] = 0;
  }
  baseline.known = knownHours(baseline.values);
  // In the first days every hour changes the profile. Later it is fitted once a day.
  const isNews = isAdopted || baseline.known <= 2 * BUILDING_HOURS || baseline.profile.day !== dayOf(hour);
  if (isNews) fitSeason(baseline, hour);
  fitLevel(baseline, hour);
}

function learnSurprise(baseline: Baseline, value: number, weight: number, isClean: boolean): void {
  if (baseline.known < BUILDING_HOURS) return;
  const start = baseline.hour * HOUR_MS;
  const promised = judgeWindow(
    { ...baseline, surprise: 1 },
    { start, end: start + HOUR_MS, value, samples: weight },
  );
  // Excluded values count less: the spread exists to detect them.
  const squared = Math.min(promised.z ** 2, isClean ? SURPRISE_CLIP : SURPRISE_CLIP / 2);
  baseline.surprise = rounded(baseline.surprise + (squared - baseline.surprise) / SURPRISE_MEMORY_HOURS);
}

/** Whether the excluded value has become normal. */
function countHeldOut(baseline: Baseline): boolean {
  const { hour, heldOutDays, heldOutWeeks } = baseline;
  const days = ++heldOutDays[hourOfDay(hour)]!;
  const weeks = ++heldOutWeeks[hourOfWeek(hour)]!;
  if (days > DAYS_UNTIL_NORMAL) adopt(baseline, 24, days);
  else if (weeks > WEEKS_UNTIL_NORMAL) adopt(baseline, HOURS_OF_WEEK, weeks);
  else return false;
  return true;
}

/** Learns the excluded values of this hour, now and at the earlier times, every `step` hours. */
function adopt(baseline: Baseline, step: number, times: number): void {
  const changedHours = baseline.heldOutDays.filter((days) => days >= DAYS_UNTIL_NORMAL).length;
  const isNewLevel = step === 24 && changedHours >= HOURS_OF_A_NEW_LEVEL;
  for (let back = 0; back * step < RING_HOURS; back += 1) {
    const place = placeOf(baseline.hour - back * step + RING_HOURS);
    const value = baseline.values[place]!;
    if (back < times && isHeldOut(value)) baseline.values[place] = asLearned(value);
    else if (back >= times && !isNewLevel && isLearned(value)) baseline.values[place] = NOTHING;
  }
}
