import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { coverWindow, type Piece } from '../sql/cover.js';
import { previousWindow, SHORT_UNIT_MS, type Window } from '../sql/scope.js';
import type { KeptRollup } from './kept-rollups.js';

/**
 * Cuts windows into spans. A block has the hours of a day. For an hour that a window cuts, another block has its minutes. It has ten seconds
 * each if the window does not begin and end on minutes. A block of a large rollup has one complete day or one hour, so that a change of an
 * hour replaces few rows.
 */

/** The buckets of one block that a window needs. */
export interface Span {
  /** Start of the block in milliseconds. */
  readonly start: number;
  /** Length of its buckets in milliseconds: a day, an hour or one of `cutUnits`. */
  readonly unit: number;
  /** Numbers of the buckets, from `from` up to `to`, without `to`. */
  readonly from: number;
  readonly to: number;
}

type Size = Pick<KeptRollup, 'isLarge'>;

/** Lengths of buckets in an hour that a window cuts, the longest first: longer buckets have fewer rows. */
export const cutUnits = [MINUTE_MS, SHORT_UNIT_MS] as const;

/** Length of a block in milliseconds. @param unit length of its buckets */
export function blockMsOf({ isLarge }: Size, unit: number): number {
  if (unit < HOUR_MS) return HOUR_MS;
  return isLarge ? unit : DAY_MS;
}

/** Length of the parts of a block in milliseconds. @param unit length of its buckets */
export const partMsOf = (unit: number): number => Math.max(unit, HOUR_MS);

/** Numbers of the parts that the span needs. */
export function partsOf({ unit, from, to }: Pick<Span, 'unit' | 'from' | 'to'>): number[] {
  return unit < HOUR_MS ? [0] : Array.from({ length: to - from }, (_, index) => from + index);
}

/** null: an edge of a window is no multiple of ten seconds, or before 1970. @param compare also the spans of the previous window */
export function spansOf(kept: Size, window: Window, compare: boolean): Span[] | null {
  const windows = compare ? [window, previousWindow(window)] : [window];
  const cutUnit = cutUnits.find((unit) =>
    windows.every(({ start, end, running }) => start % unit === 0 && (running || end % unit === 0)),
  );
  if (cutUnit === undefined || windows.some(({ start }) => start < 0)) return null;
  const unitOf = { raw: cutUnit, hour: HOUR_MS, day: DAY_MS };
  return windows.flatMap((one) =>
    cover(kept, one).flatMap(({ tier, start, end }) => {
      // No row is later than the end of a running window.
      const last = one.running && end === one.end ? Math.ceil(end / cutUnit) * cutUnit : end;
      return cutIntoBlocks(kept, { unit: unitOf[tier], start, end: last });
    }),
  );
}

/** Rows of a day still arrive for this time after its end, and change single hours. */
const LATE_MS = 3 * HOUR_MS;

/** The whole days of a large rollup are read as days. Days of a running window that may still change are read by hour. */
function cover({ isLarge }: Size, window: Window): Piece[] {
  const { start, end, running = false } = window;
  if (!isLarge) return coverWindow(window, ['hour', 'raw']);
  const lastDay = Math.floor((end - LATE_MS) / DAY_MS) * DAY_MS;
  if (!running || lastDay <= start)
    return coverWindow(window, running ? ['hour', 'raw'] : ['day', 'hour', 'raw']);
  return [
    ...coverWindow({ start, end: lastDay }, ['day', 'hour', 'raw']),
    ...coverWindow({ start: lastDay, end, running }, ['hour', 'raw']),
  ];
}

function cutIntoBlocks(
  kept: Size,
  { start, end, unit }: { start: number; end: number; unit: number },
): Span[] {
  const length = blockMsOf(kept, unit);
  const spans: Span[] = [];
  for (let blockStart = Math.floor(start / length) * length; blockStart < end; blockStart += length) {
    const from = Math.max(start - blockStart, 0) / unit;
    spans.push({ start: blockStart, unit, from, to: Math.min(end - blockStart, length) / unit });
  }
  return spans;
}
