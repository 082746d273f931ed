import { DAY_MS } from '../../shared/durations.js';

/** How long something usually stays away: the longest absence that ended on each of the last days. Plain JSON. */

const KEPT_DAYS = 28;
const LEAST_DAYS = 5;

/** Days since the epoch, and the longest absence that ended on each, in milliseconds. */
export type Absences = (readonly [day: number, longestMs: number])[];

/** Mutates. @param at when it came back */
export function noteAbsence(absences: Absences, at: number, lengthMs: number): void {
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
 * The longest absence that is still usual: the second longest of the days' longest, so that one failure doesn't become the rule.
 * @returns undefined where too few days are known
 */
export function usualAbsence(absences: Absences): number | undefined {
  if (absences.length < LEAST_DAYS) return undefined;
  return absences.map(([, length]) => length).sort((a, b) => b - a)[1];
}
