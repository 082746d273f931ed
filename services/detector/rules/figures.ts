import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';

/** Formats numbers for messages. */

/** At most one decimal; none from 10 on. */
export function round(value: number): number {
  return value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
}

/** 0.1234 → 12.3 */
export function percent(share: number): number {
  return Math.round(share * 1_000) / 10;
}

/** Deviation from the usual value in percent; negative below it. */
export function deviationOf(value: number, usual: number): number {
  return Math.round(((value - usual) / Math.max(usual, 1)) * 100);
}

/** '15 minutes', '2 hours' */
export function span(lengthMs: number): string {
  const hours = lengthMs / HOUR_MS;
  if (hours < 2) return `${Math.round(lengthMs / MINUTE_MS)} minutes`;
  return `${round(hours)} hours`;
}
