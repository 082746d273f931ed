import { NONE } from '../../../../shared/requests/columns/request-columns.js';
import type { Spans } from '../../../../shared/requests/columns/spans.js';
import { MOST_TIME_TAKEN_MS } from '../util/request-limits.js';
import { digitsAt, isAbsent, isQuotable, isWordEnd, LINE_FEED, QUOTE, SPACE, setSpan } from './find-text.js';

/** A line with more words after the user agent is not plain. */
const MOST_WORDS = 8;
/** A host name has no more characters. */
const LONGEST_WORD = 255;
/** Keeps milliseconds below {@link MOST_TIME_TAKEN_MS}. */
const MOST_SECONDS_DIGITS = Math.floor(Math.log10(MOST_TIME_TAKEN_MS / 1_000));
const MOST_MICROSECONDS_DIGITS = 9;

/** Bytes of `D=`, `rt=` and `host=`. */
const MICROSECONDS_NAME = 2;
const SECONDS_NAME = 3;
const HOST_NAME = 5;
const DOT = 46;
const EQUALS = 61;
const LETTER_D = 68;
const LETTER_H = 104;
const LETTER_O = 111;
const LETTER_R = 114;
const LETTER_S = 115;
const LETTER_T = 116;

/**
 * Columns of the lines that are read at once (read-line.ts). They are in the file that writes them, because the
 * runtime reads another file's constant more slowly.
 */
export const MOST_LINES = 256;
export const host: Spans = new Int32Array(3 * MOST_LINES);
export const time_taken_ms = new Uint32Array(MOST_LINES);

/** By byte: 2 if it may be in a word, 1 if only in quoted text. */
const kinds = Uint8Array.from(
  { length: 256 },
  (_, byte) => Number(isQuotable(byte)) + Number(isQuotable(byte) && byte !== SPACE),
);

/**
 * Reads the words after the user agent: one time, one word that may be a host name, hyphens. Other quoted words are
 * left to combined-tail.ts. A time is in seconds with three decimals (nginx's
 * $request_time), with or without `rt=`, or `D=` and microseconds (Apache's %D). A host may have the prefix `host=`.
 * docs/log-format.md recommends these forms.
 * @param isBehindPair whether referrer and user agent precede it; else a quoted word may be one of them
 * @returns index of the line feed; -1
 */
export function readTail(bytes: Uint8Array, line: number, from: number, isBehindPair: boolean): number {
  time_taken_ms[line] = NONE;
  setSpan(host, line, from, from);
  let at = from;
  for (let words = 0; words <= MOST_WORDS; words += 1) {
    while (bytes[at] === SPACE) at += 1;
    if (bytes[at] === LINE_FEED) return at;
    const isQuoted = bytes[at] === QUOTE;
    if (isQuoted && !isBehindPair) return -1;
    const start = isQuoted ? at + 1 : at;
    const least = isQuoted ? 1 : 2;
    let end = start;
    while (kinds[bytes[end]!]! >= least) end += 1;
    if (end - start > LONGEST_WORD || (isQuoted && bytes[end] !== QUOTE)) return -1;
    at = isQuoted ? end + 1 : end;
    if (!isWordEnd(bytes[at]!) || !takeWord(bytes, line, start, end, isQuoted)) return -1;
  }
  return -1;
}

/** @returns whether a plain line may have this word */
function takeWord(bytes: Uint8Array, line: number, from: number, to: number, isQuoted: boolean): boolean {
  if (isAbsent(bytes, from, to)) return true;
  if (isQuoted) return false;
  const name = nameLength(bytes, from);
  // A name without a value is an ordinary word (combined-tail.ts).
  const value = from + name === to ? from : from + name;
  if (value === from) {
    const milliseconds = millisecondsOf(bytes, from, to);
    return milliseconds === -1 ? takeHost(line, from, to) : takeTime(line, milliseconds);
  }
  if (isAbsent(bytes, value, to)) return true;
  if (name === HOST_NAME) return takeHost(line, value, to);
  return takeTime(
    line,
    name === SECONDS_NAME ? millisecondsOf(bytes, value, to) : roundedMilliseconds(bytes, value, to),
  );
}

/** @returns length of the name there; 0 */
function nameLength(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LETTER_D) return bytes[at + 1] === EQUALS ? MICROSECONDS_NAME : 0;
  if (bytes[at] === LETTER_R)
    return bytes[at + 1] === LETTER_T && bytes[at + 2] === EQUALS ? SECONDS_NAME : 0;
  const isHost =
    bytes[at] === LETTER_H &&
    bytes[at + 1] === LETTER_O &&
    bytes[at + 2] === LETTER_S &&
    bytes[at + 3] === LETTER_T &&
    bytes[at + 4] === EQUALS;
  return isHost ? HOST_NAME : 0;
}

function takeTime(line: number, milliseconds: number): boolean {
  if (milliseconds === -1 || time_taken_ms[line] !== NONE) return false;
  time_taken_ms[line] = milliseconds;
  return true;
}

function takeHost(line: number, from: number, to: number): boolean {
  const isFirst = host[3 * line] === host[3 * line + 1];
  setSpan(host, line, from, to);
  return isFirst;
}

/** Milliseconds of `0.003`; -1 for other text. */
function millisecondsOf(bytes: Uint8Array, from: number, to: number): number {
  const dot = to - 4;
  if (dot <= from || dot - from > MOST_SECONDS_DIGITS || bytes[dot] !== DOT) return -1;
  const seconds = digitsAt(bytes, from, dot);
  const fraction = digitsAt(bytes, dot + 1, to);
  return seconds === -1 || fraction === -1 ? -1 : seconds * 1_000 + fraction;
}

/** Milliseconds of microseconds, rounded like combined-tail.ts; -1 if the word is not a number. */
function roundedMilliseconds(bytes: Uint8Array, from: number, to: number): number {
  const microseconds = to - from > MOST_MICROSECONDS_DIGITS ? -1 : digitsAt(bytes, from, to);
  return microseconds === -1 ? -1 : Math.round(microseconds * 0.001);
}
