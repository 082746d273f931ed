import { DAY_MS } from '../../../shared/durations.js';

/** Sums that decay: older counts weigh less, so that usual values follow a changing website. Plain JSON. */

/** A count's weight halves in this time. */
const HALF_LIFE_MS = 7 * DAY_MS;
const DECAY = Math.LN2 / HALF_LIFE_MS;

export interface Tally {
  /** When the sums were last brought up to date, milliseconds since the epoch. */
  at: number;
  readonly sums: number[];
}

export function newTally(at: number, size: number): Tally {
  return { at, sums: new Array<number>(size).fill(0) };
}

/** @param weight below 1 for unusual counts, which are learned slowly */
export function count(tally: Tally, at: number, counts: readonly number[], weight = 1): void {
  const kept = Math.exp(-DECAY * Math.max(0, at - tally.at));
  for (let i = 0; i < tally.sums.length; i++) {
    tally.sums[i] = tally.sums[i]! * kept + weight * (counts[i] ?? 0);
  }
  tally.at = Math.max(tally.at, at);
}

/**
 * Usual share of the sum `part` in the first sum. A new tally relies on `prior`, as if it had counted
 * `priorCount` with that share.
 */
export function shareOf(tally: Tally | undefined, part: number, prior: number, priorCount: number): number {
  const whole = tally?.sums[0] ?? 0;
  return ((tally?.sums[part] ?? 0) + prior * priorCount) / (whole + priorCount);
}

/** Usual count of the first sum in `lengthMs`, if counting started at `since`. */
export function rateOf(tally: Tally | undefined, since: number, now: number, lengthMs: number): number {
  if (tally === undefined) return 0;
  const kept = tally.sums[0]! * Math.exp(-DECAY * Math.max(0, now - tally.at));
  const weight = (1 - Math.exp(-DECAY * Math.max(lengthMs, now - since))) / DECAY;
  return (kept * lengthMs) / weight;
}
