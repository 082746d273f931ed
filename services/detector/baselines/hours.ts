import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { WEEKS_KEPT } from './thresholds.js';

/** The last weeks by hour, as ring buffers in which an hour of the week always has the same entries. */

export const HOURS_OF_WEEK = 168;
export const RING_HOURS = WEEKS_KEPT * HOURS_OF_WEEK;
export const INTERVALS_OF_HOUR = HOUR_MS / INTERVAL_MS;

/**
 * An entry of a ring: none, a learned value (0 and above), or a value that is excluded from learning (marked
 * by its sign).
 */
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

/** The value of an excluded entry. */
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

/** The day since the epoch of an hour since the epoch. */
export function dayOf(hour: number): number {
  return Math.floor(hour / 24);
}

export function hourOfDay(hour: number): number {
  return hour % 24;
}

/** 0 is Thursday, 00:00 UTC, like the epoch. */
export function hourOfWeek(hour: number): number {
  return hour % HOURS_OF_WEEK;
}

/** Four significant digits: states are stored as text. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
