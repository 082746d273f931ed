import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { Window } from './scope.js';

/** The tables that answer the parts of a window (docs/decisions/007-rollups-and-raw-edges.md). Pure; all times are in milliseconds. */

export type Tier = 'raw' | 'hour' | 'day';

/** A half-open part of a window; `hour` and `day` pieces begin and end on whole hours and whole UTC days. */
export interface Piece {
  readonly tier: Tier;
  readonly start: number;
  readonly end: number;
}

/** A third table costs a statement more than the hours of one day. */
const LEAST_DAYS = 2;

/**
 * Cuts a window into pieces, in order of time, that cover it exactly once. The day tier covers whole UTC days if it is available and there
 * are at least LEAST_DAYS, and the hour tier the remaining whole hours. The raw rows cover the rest (less than an hour at each end). In a
 * running window the current bucket counts as whole.
 */
export function coverWindow(window: Window, tiers: readonly Tier[]): Piece[] {
  const hours = wholeUnits(window, HOUR_MS);
  if (!tiers.includes('hour') || hours === null)
    return [{ tier: 'raw', start: window.start, end: window.end }];
  const days = tiers.includes('day') ? wholeUnits(window, DAY_MS, LEAST_DAYS) : null;
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

/** The largest window of whole units inside `window`; null if it has fewer than `least`. */
function wholeUnits({ start, end, running = false }: Window, unit: number, least = 1) {
  const first = Math.ceil(start / unit) * unit;
  const last = (running ? Math.ceil : Math.floor)(end / unit) * unit;
  return last - first >= least * unit ? { start: first, end: last } : null;
}

/** Adjacent pieces as one. @param pieces in order of time, and of one tier */
export function joinPieces<Given extends Pick<Piece, 'start' | 'end'>>(pieces: readonly Given[]): Given[] {
  const joined: Given[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.end === piece.start) joined[joined.length - 1] = { ...last, end: piece.end };
    else joined.push(piece);
  }
  return joined;
}
