import { byteAt, DOT, isAbsent, isQuotable, isWordEnd, LINE_FEED, QUOTE, SPACE, threeDigits, wholeNumber } from './read-bytes';

/**
 * Reads what may stand behind the user agent: one time, one host name, hyphens. A time is in seconds with three decimals (nginx's $request_time), with `rt=`
 * in front or without, or `D=` and microseconds (Apache's %D). A host name may have `host=` in front. These are the forms that docs/log-format.md asks for.
 */

/** Words behind the user agent; a line with more is not plain. */
const MOST_WORDS: i32 = 8;
/** A host name has no more characters. */
const LONGEST_WORD: i32 = 255;
/** So that they fit 32 bits. */
const MOST_MICROSECONDS_DIGITS: i32 = 9;
const NONE: i32 = -1;
const EQUALS: i32 = 61;
/** `host`, little-endian. */
const HOST: i32 = 0x74736f68;

/** Digits of seconds: so few that a request does not take too long (request-limits.ts). */
let mostSecondsDigits: i32 = 0;

export function setMostSecondsDigits(digits: i32): void {
  mostSecondsDigits = digits;
}

export let timeTakenMs: i32 = NONE;
/** A word that may be a host name; empty where there is none. */
export let hostFrom: i32 = 0;
export let hostTo: i32 = 0;

/** @returns index of the line feed; -1. */
export function readTail(from: i32): i32 {
  timeTakenMs = NONE;
  hostFrom = hostTo = from;
  let at = from;
  for (let words = 0; words <= MOST_WORDS; words++) {
    while (byteAt(at) == SPACE) at++;
    if (byteAt(at) == LINE_FEED) return at;
    const isQuoted = byteAt(at) == QUOTE;
    const start = isQuoted ? at + 1 : at;
    const end = endOfWord(start, isQuoted ? QUOTE : SPACE);
    if (end == -1 || !takeWord(start, end, isQuoted)) return -1;
    at = isQuoted ? end + 1 : end;
    if (!isWordEnd(byteAt(at))) return -1;
  }
  return -1;
}

/** @returns whether a plain line may have the word there. */
@inline
function takeWord(from: i32, to: i32, isQuoted: bool): bool {
  if (isAbsent(from, to)) return true;
  if (!isQuoted) {
    // A name without a value is a word like any other (combined-tail.ts).
    if (to - from > 3 && isNamedSeconds(from)) return isAbsent(from + 3, to) || takeTime(millisecondsOf(from + 3, to));
    if (to - from > 2 && isNamedMicroseconds(from)) return isAbsent(from + 2, to) || takeTime(roundedMilliseconds(from + 2, to));
    if (to - from > 5 && isNamedHost(from)) return isAbsent(from + 5, to) || takeHost(from + 5, to);
    const milliseconds = millisecondsOf(from, to);
    if (milliseconds != -1) return takeTime(milliseconds);
  }
  return takeHost(from, to);
}

/** `rt=` */
@inline
function isNamedSeconds(at: i32): bool {
  return byteAt(at) == 114 && byteAt(at + 1) == 116 && byteAt(at + 2) == EQUALS;
}

/** `D=` */
@inline
function isNamedMicroseconds(at: i32): bool {
  return byteAt(at) == 68 && byteAt(at + 1) == EQUALS;
}

/** `host=` */
@inline
function isNamedHost(at: i32): bool {
  return load<i32>(at) == HOST && byteAt(at + 4) == EQUALS;
}

@inline
function takeTime(milliseconds: i32): bool {
  if (milliseconds == -1 || timeTakenMs != NONE) return false;
  timeTakenMs = milliseconds;
  return true;
}

@inline
function takeHost(from: i32, to: i32): bool {
  if (hostTo != hostFrom) return false;
  hostFrom = from;
  hostTo = to;
  return true;
}

@inline
function endOfWord(from: i32, terminator: i32): i32 {
  let at = from;
  while (isQuotable(byteAt(at)) && byteAt(at) != terminator && at - from < LONGEST_WORD) at++;
  return byteAt(at) == terminator || (terminator == SPACE && byteAt(at) == LINE_FEED) ? at : -1;
}

/** Of `0.003`; -1 for anything else. */
@inline
function millisecondsOf(from: i32, to: i32): i32 {
  const dot = to - 4;
  if (dot <= from || dot - from > mostSecondsDigits || byteAt(dot) != DOT) return -1;
  const seconds = wholeNumber(from, dot);
  const fraction = threeDigits(dot + 1);
  return seconds == -1 || fraction == -1 ? -1 : seconds * 1000 + fraction;
}

/** Of so many microseconds; -1 where the word is no number of them. */
@inline
function roundedMilliseconds(from: i32, to: i32): i32 {
  if (to - from > MOST_MICROSECONDS_DIGITS) return -1;
  const microseconds = wholeNumber(from, to);
  if (microseconds == -1) return -1;
  // In floats, as combined-tail.ts does it: half a millisecond is rounded alike.
  return <i32>Math.floor(<f64>microseconds * 0.001 + 0.5);
}
