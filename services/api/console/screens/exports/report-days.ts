import { type Address, windowOf } from '../../address.js';

/** Bounds of createReport. */
export const LEAST_DAYS = 7;
export const MOST_DAYS = 90;
const DAY_MS = 86_400_000;

/** Whole days that the logs cover until now. @param since the first moment of complete logs; null: not known. */
export function coveredDays(since: string | null, now = Date.now()): number | null {
  return since === null ? null : Math.floor((now - Date.parse(since)) / DAY_MS);
}

/** The length of the window, no longer than the logs cover. A report always ends with the last whole day. */
export function reportDays(period: Address['period'], covered: number | null): number {
  const window = windowOf(period);
  const days =
    'hours' in window
      ? window.hours / 24
      : Math.ceil((Date.parse(window.end) - Date.parse(window.start)) / DAY_MS);
  const shown = Math.min(Number.isNaN(days) ? MOST_DAYS : days, covered ?? MOST_DAYS, MOST_DAYS);
  return Math.max(LEAST_DAYS, shown);
}
