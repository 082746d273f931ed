import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { coverWindow } from '../sql/cover.js';
import { previousWindow, type Window } from '../sql/scope.js';

/**
 * The parts of windows that blocks of rows cover: whole hours in blocks of a day, and whole minutes of an hour that a window cuts, in a
 * block of that hour.
 */
export interface Span {
  /** Start of the block in milliseconds. */
  readonly start: number;
  /** Length of its buckets: an hour or a minute. */
  readonly unit: number;
  /** The buckets of the block from `from` up to `to`, without `to`. */
  readonly from: number;
  readonly to: number;
}

/** Length of a block by its unit. */
export const lengthOf = (unit: number): number => (unit === HOUR_MS ? DAY_MS : HOUR_MS);

/** The hours of a block that the span needs, by number. A block of minutes is read as a whole. */
export function hoursOf({ unit, from, to }: Pick<Span, 'unit' | 'from' | 'to'>): number[] {
  return unit === HOUR_MS ? Array.from({ length: to - from }, (_, index) => from + index) : [0];
}

/** null: an edge is within a minute, or before any row. */
export function spansOf(window: Window, compare: boolean): Span[] | null {
  const windows = compare ? [window, previousWindow(window)] : [window];
  const pieces = windows.flatMap((one) =>
    coverWindow(one, ['hour', 'raw']).map(({ tier, start, end }) => ({
      unit: tier === 'hour' ? HOUR_MS : MINUTE_MS,
      start,
      // No row is later than the end of a running window.
      end: one.running && end === one.end ? Math.ceil(end / MINUTE_MS) * MINUTE_MS : end,
    })),
  );
  const fits = ({ start, end, unit }: { start: number; end: number; unit: number }) =>
    start >= 0 && start % unit === 0 && end % unit === 0;
  return pieces.every(fits) ? pieces.flatMap(cutIntoBlocks) : null;
}

function cutIntoBlocks({ start, end, unit }: { start: number; end: number; unit: number }): Span[] {
  const length = lengthOf(unit);
  const spans: Span[] = [];
  for (let block = Math.floor(start / length) * length; block < end; block += length) {
    const from = Math.max(start - block, 0) / unit;
    spans.push({ start: block, unit, from, to: Math.min(end - block, length) / unit });
  }
  return spans;
}
