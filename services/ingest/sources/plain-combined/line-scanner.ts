import { SPAN_NUMBERS } from '../../../../shared/requests/columns/column-builder.js';
import { COMMON_LOG_TIME_LENGTH } from '../parse-timestamp.js';
import { ROW_TEXT_BYTES, type Room, type TimeBounds } from '../source.js';
import { type ColumnName, columnNames, openScannerMemory } from './scanner-memory.js';

/**
 * Finds plain lines in chunks. The process has one scanner, since nobody waits while it is used: it holds the bytes that were read from last.
 */

export interface ScanLimits {
  /** At most. */
  readonly lines: number;
  /** As of {@link Room}. At least one line is found, however little it is. */
  readonly text: number;
  readonly maxLineBytes: number;
  /** Of the day that was set last, milliseconds since the epoch. */
  readonly midnight: number;
  readonly times: TimeBounds;
}

const LINE_FEED = 10;
/** The scanner takes no larger number. */
const MOST_32 = 2 ** 31 - 1;

const { bytes, windowAt, windowBytes, found, ...memory } = openScannerMemory();

/** What the last scan has found. */
export const foundLines = found;
/** Lines that a scan finds at most. */
export const MOST_LINES = memory.mostLines;

let heldChunk: Buffer | null = null;
let heldFrom = 0;
let heldTo = 0;
/** Index in the memory of the time at which the last scan ended because it is of another day; 0. */
let otherDayAt = 0;

/** Lets go of the bytes that are held: a chunk at the same place may have others. */
export function releaseChunk(): void {
  heldChunk = null;
}

/** Copies whole lines from an index on into the window, unless they are there. @returns whether there is one. */
function hold(chunk: Buffer, at: number, to: number): boolean {
  if (chunk === heldChunk && at >= heldFrom && at < heldTo) return true;
  const whole = to - at <= windowBytes ? to : chunk.lastIndexOf(LINE_FEED, at + windowBytes - 1) + 1;
  if (whole <= at) return false;
  chunk.copy(bytes, windowAt, at, whole);
  heldChunk = chunk;
  heldFrom = at;
  heldTo = whole;
  return true;
}

/** The day of the lines that are found. @param day `17/Nov/2026` and, behind it, `+0000` */
export function setDay(day: Buffer): void {
  day.copy(bytes, memory.dayAt);
}

/**
 * Finds plain lines from an index of the chunk on.
 * @param to index behind the chunk's last line feed
 * @returns how many; 0 where the first is not plain, or is of {@link otherDay}, or where the window holds no whole line
 */
export function scanLines(chunk: Buffer, at: number, to: number, limits: ScanLimits): number {
  otherDayAt = 0;
  if (!hold(chunk, at, to)) return 0;
  const shift = windowAt - heldFrom;
  const lines = memory.scan(
    at + shift,
    heldTo + shift,
    Math.min(limits.lines, MOST_LINES),
    Math.max(1, Math.min(limits.text, MOST_32)),
    ROW_TEXT_BYTES,
    Math.min(limits.maxLineBytes, MOST_32),
    limits.midnight,
    limits.times.earliest,
    limits.times.latest,
  );
  otherDayAt = memory.otherDayAt();
  return lines;
}

/** Index in the chunk of what follows so many of the lines found. */
export function endOf(lines: number): number {
  return found.ends[lines - 1]! - windowAt + heldFrom;
}

/** The time at which the last scan ended because it is of another day, as `17/Nov/2026:12:00:02 +0000`; null. */
export function otherDay(): string | null {
  return otherDayAt === 0 ? null : bytes.toString('latin1', otherDayAt, otherDayAt + COMMON_LOG_TIME_LENGTH);
}

/** How many of the first lines found stand before the first whose text in this column is not right. */
export function linesBefore(column: ColumnName, lines: number, isRight: (text: string) => boolean): number {
  const { spans, ids } = found.texts[column];
  const texts = found.textCounts[columnNames.indexOf(column)]!;
  for (let text = 0; text < texts; text += 1) {
    const at = SPAN_NUMBERS * text;
    if (spans[at + 3] === 1 || isRight(bytes.toString('latin1', spans[at], spans[at + 1]))) continue;
    const line = ids.subarray(0, lines).indexOf(text);
    return line === -1 ? lines : line;
  }
  return lines;
}
