import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { Window } from './scope.js';

/** Which table can answer which part of a window (docs/decisions/007-rollups-and-raw-edges.md). Pure; every instant is in milliseconds. */

export type Tier = 'raw' | 'hour' | 'day';

/** A half-open part of a window; `hour` and `day` pieces begin and end on whole hours and whole UTC days. */
export interface Piece {
  readonly tier: Tier;
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a window into pieces, in order of time, that cover it exactly once: whole UTC days from the day tier where
 * one is to be had, the remaining whole hours from the hour tier, and what is left of the first and last hour from
 * the raw rows (less than an hour at each end). Of a running window the bucket under way counts as a whole one.
 */
export function coverWindow(window: Window, tiers: readonly Tier[]): Piece[] {
  const hours = wholeUnits(window, HOUR_MS);
  if (!tiers.includes('hour') || hours === null)
    return [{ tier: 'raw', start: window.start, end: window.end }];
  const days = tiers.includes('day') ? wholeUnits(window, DAY_MS) : null;
  const middle: Piece[] =
    days === null
      ? [{ tier: 'hour', ...hours }]
      : [
          { tier: 'hour', start: hours.start, end: days.start },
          { tier: 'day', ...days },
          { tier: 'hour', start: days.end, end: hours.end },
        ];
  const pieces: Piece[] = [
    { tier: 'raw', start: window.start, end: hours.start },
    ...middle,
    { tier: 'raw', start: hours.end, end: window.end },
  ];
  return pieces.filter((piece) => piece.start < piece.end);
}

/** The largest window of whole units inside `window`; null where not one fits. */
function wholeUnits({ start, end, running = false }: Window, unit: number) {
  const first = Math.ceil(start / unit) * unit;
  const last = (running ? Math.ceil : Math.floor)(end / unit) * unit;
  return first < last ? { start: first, end: last } : null;
}
