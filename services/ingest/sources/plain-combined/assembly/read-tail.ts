import { byteAt, digitAt, DOT, HYPHEN, isQuotable, isWordEnd, LINE_FEED, QUOTE, SPACE, threeDigits } from './read-bytes';

/** Reads what may stand behind the user agent: one time in seconds with three decimals (nginx's $request_time), one host name, hyphens. */

/** Words behind the user agent; a line with more is not plain. */
const MOST_WORDS: i32 = 8;
/** A host name has no more characters. */
const LONGEST_WORD: i32 = 255;
/** So that milliseconds stay below MOST_TIME_TAKEN_MS (request-limits.ts). */
const MOST_SECONDS_DIGITS: i32 = 6;
const NONE: i32 = -1;

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
// @ts-ignore: decorator
@inline
function takeWord(from: i32, to: i32, isQuoted: bool): bool {
  if (to == from || (to - from == 1 && byteAt(from) == HYPHEN)) return true;
  const milliseconds = isQuoted ? -1 : millisecondsOf(from, to);
  if (milliseconds != -1) {
    if (timeTakenMs != NONE) return false;
    timeTakenMs = milliseconds;
    return true;
  }
  if (hostTo != hostFrom) return false;
  hostFrom = from;
  hostTo = to;
  return true;
}

// @ts-ignore: decorator
@inline
function endOfWord(from: i32, terminator: i32): i32 {
  let at = from;
  while (isQuotable(byteAt(at)) && byteAt(at) != terminator && at - from <= LONGEST_WORD) at++;
  return byteAt(at) == terminator || (terminator == SPACE && byteAt(at) == LINE_FEED) ? at : -1;
}

/** Of `0.003`; -1 for anything else. */
// @ts-ignore: decorator
@inline
function millisecondsOf(from: i32, to: i32): i32 {
  const dot = to - 4;
  if (dot <= from || dot - from > MOST_SECONDS_DIGITS || byteAt(dot) != DOT) return -1;
  let seconds: u32 = 0;
  for (let at = from; at < dot; at++) {
    const digit = digitAt(at);
    if (digit > 9) return -1;
    seconds = seconds * 10 + digit;
  }
  const fraction = threeDigits(dot + 1);
  return fraction == -1 ? -1 : seconds * 1000 + fraction;
}
