import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

/** The usual length of an absence: the longest absence that ended on each of the last days. Plain JSON. */

const KEPT_DAYS = 28;
const LEAST_DAYS = 5;
/**
 * A longer absence is an incident and counts as this many times the usual. Two incidents in four weeks must
 * not hide the third.
 */
const MOST_TIMES_USUAL = 2;
const SHORT_MS = HOUR_MS;

/** Days since the epoch, and the longest absence that ended on each, in milliseconds. */
export type Absences = (readonly [day: number, longestMs: number])[];

/**
 * Mutates.
 * @param at when the absence ended
 */
export function noteAbsence(absences: Absences, at: number, trueLengthMs: number): void {
  const usual = usualAbsence(absences) ?? Number.POSITIVE_INFINITY;
  const lengthMs = Math.min(trueLengthMs, Math.max(SHORT_MS, MOST_TIMES_USUAL * usual));
  const day = Math.floor(at / DAY_MS);
  const last = absences.at(-1);
  if (last !== undefined && last[0] >= day) {
    if (lengthMs > last[1]) absences[absences.length - 1] = [last[0], lengthMs];
    return;
  }
  absences.push([day, lengthMs]);
  while (absences.length > 0 && absences[0]![0] <= day - KEPT_DAYS) absences.shift();
}

/**
 * The longest usual absence: the second longest of the daily longest ones, so that one failure does not
 * become usual.
 * @returns undefined if too few days are known
 */
export function usualAbsence(absences: Absences): number | undefined {
  if (absences.length < LEAST_DAYS) return undefined;
  return absences.map(([, length]) => length).sort((a, b) => b - a)[1];
}

/** The longest absence of the last days, even if few are known; 0: none. */
export function longestAbsence(absences: Absences): number {
  return Math.max(0, ...absences.map(([, length]) => length));
}
