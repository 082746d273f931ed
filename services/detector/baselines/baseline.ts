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

/** What a metric of a website is usually like, by the hour of the week, and how far it usually strays. */

export function newBaseline(kind: BaselineKind): Baseline {
  return emptyState(kind);
}

/**
 * Takes in one 5-minute interval; in order of time, once each (earlier ones are left out). An interval in which nothing was
 * delivered is not told at all: it leaves a gap, not a nought. `value`: a count or an average;
 * `samples`: the requests of an average.
 *
 * What is judged anomalous is held out, until it was there at the same hour on three days running or in two weeks running:
 * then that is what is normal, with what was held out.
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

/** Holds one or more whole intervals against what is usual. Above and below for counts, above alone for means. */
export function judge(baseline: Baseline, window: Window): Judgement {
  const judgement = judgeWindow(baseline, window);
  if (maturityOf(baseline).status !== 'building') return judgement;
  return { ...judgement, z: 0, status: 'insufficient_data' };
}

/** `observations`: the 5-minute intervals of the last weeks that it rests on. */
export function maturityOf(baseline: Baseline): { status: Maturity; observations: number } {
  const observations = baseline.known * INTERVALS_OF_HOUR + baseline.gathered.length;
  if (baseline.known < BUILDING_HOURS) return { status: 'building', observations };
  return { status: baseline.known < MATURE_HOURS ? 'warming_up' : 'mature', observations };
}

/** Clears the places of the hours since the last one: they held what was five weeks ago. */
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
  // The first days every hour is news to the profile; later a day changes it little.
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
  // What is held out counts less: it is what the spread is there to find.
  const squared = Math.min(promised.z ** 2, isClean ? SURPRISE_CLIP : SURPRISE_CLIP / 2);
  baseline.surprise = rounded(baseline.surprise + (squared - baseline.surprise) / SURPRISE_MEMORY_HOURS);
}

/** Whether it has become what is normal. */
function countHeldOut(baseline: Baseline): boolean {
  const { hour, heldOutDays, heldOutWeeks } = baseline;
  const days = ++heldOutDays[hourOfDay(hour)]!;
  const weeks = ++heldOutWeeks[hourOfWeek(hour)]!;
  if (days > DAYS_UNTIL_NORMAL) adopt(baseline, 24, days);
  else if (weeks > WEEKS_UNTIL_NORMAL) adopt(baseline, HOURS_OF_WEEK, weeks);
  else return false;
  return true;
}

/** Learns what was held out at this hour, this time and the times before, every `step` hours. */
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
