import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { WEEKS_KEPT } from './thresholds.js';

/** The last weeks by the hour: rings in which the same hour of the week is always in the same places. */

export const HOURS_OF_WEEK = 168;
export const RING_HOURS = WEEKS_KEPT * HOURS_OF_WEEK;
export const INTERVALS_OF_HOUR = HOUR_MS / INTERVAL_MS;

/** What a place of a ring holds: nothing; what was learned (0 and above); or, told by its sign, what was held out of learning. */
export const NOTHING = -1;

export function heldOut(value: number): number {
  return -2 - value;
}

export function isLearned(place: number): boolean {
  return place >= 0;
}

export function isHeldOut(place: number): boolean {
  return place <= -2;
}

/** Of what is held out: the value. */
export function asLearned(place: number): number {
  return -2 - place;
}

/** Hours since the epoch. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

export function placeOf(hour: number): number {
  return hour % RING_HOURS;
}

/** Of an hour since the epoch: its day since then. */
export function dayOf(hour: number): number {
  return Math.floor(hour / 24);
}

export function hourOfDay(hour: number): number {
  return hour % 24;
}

/** 0 is a Thursday, 00:00 UTC, as the epoch is. */
export function hourOfWeek(hour: number): number {
  return hour % HOURS_OF_WEEK;
}

/** Four significant digits: states are stored as text. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
