import { HOUR_MS } from '../durations.js';

/** Limits count by the UTC clock hour. Times are milliseconds since the epoch. */

export function hourStartOf(now: number): number {
  return now - (now % HOUR_MS);
}

/** When what is used up is there again. */
export function nextHourOf(now: number): { readonly at: number; readonly inSeconds: number } {
  const at = hourStartOf(now) + HOUR_MS;
  return { at, inSeconds: Math.ceil((at - now) / 1000) };
}
