import { HOUR_MS } from '../durations.js';

/** Start of the UTC clock hour, in which limits count. Times are milliseconds since the epoch. */

export function hourStartOf(now: number): number {
  return now - (now % HOUR_MS);
}

/** When used-up limits reset. */
export function nextHourOf(now: number): { readonly at: number; readonly inSeconds: number } {
  const at = hourStartOf(now) + HOUR_MS;
  return { at, inSeconds: Math.ceil((at - now) / 1000) };
}
