import { addToHash, beginHash, endHash } from '../../../../shared/requests/columns/hash-bytes.js';
import type { Spans } from '../../../../shared/requests/columns/spans.js';

/** Texts and numbers in the bytes of plain lines. */

export const LINE_FEED = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HYPHEN = 45;
const DIGIT_0 = 48;
const BACKSLASH = 92;
const FIRST_NOT_ASCII = 128;

/** Quoted text: ASCII without quotes, escapes and control characters. */
export function isQuotable(byte: number): boolean {
  return byte >= SPACE && byte < FIRST_NOT_ASCII && byte !== QUOTE && byte !== BACKSLASH;
}

export const isWordEnd = (byte: number): boolean => byte === SPACE || byte === LINE_FEED;

/** Nothing, or the hyphen that servers write for a missing value. */
export const isAbsent = (bytes: Uint8Array, from: number, to: number): boolean =>
  to === from || (to - from === 1 && bytes[from] === HYPHEN);

/** All digits between two indexes as a number; -1 if one is no digit. */
export function digitsAt(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = bytes[at]! - DIGIT_0;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

export function setSpan(spans: Spans, line: number, from: number, to: number): void {
  const span = 3 * line;
  spans[span] = from;
  spans[span + 1] = to;
  spans[span + 2] = 0;
}

/** A byte times this is in each of four bytes. */
const EACH = 0x01010101;
const HIGH = 0x80808080 | 0;
const QUOTES = QUOTE * EACH;
const BACKSLASHES = BACKSLASH * EACH;

/**
 * Writes the span and the hash of the text up to the terminator. It reads words of four bytes. A subtraction sets the
 * high bit of the first byte that is below `least`, a quote or a backslash. Source: Bit Twiddling Hacks, "Determine
 * if a word has a byte less than n".
 * @param least the least byte that the text may have, in each of four bytes
 * @returns the terminator's index; -1 if anything but quotable ASCII precedes it
 */
function findEnd(
  view: DataView,
  from: number,
  least: number,
  terminator: number,
  spans: Spans,
  line: number,
): number {
  const last = view.byteLength - 4;
  let hash = beginHash();
  let at = from;
  let end = -1;
  for (; at <= last; at += 4) {
    const word = view.getInt32(at, true);
    const high = (word | (word - least) | ((word ^ QUOTES) - EACH) | ((word ^ BACKSLASHES) - EACH)) & HIGH;
    if (high !== 0) {
      end = at + ((31 - Math.clz32(high & -high)) >> 3);
      break;
    }
    hash = addToHash(hash, word);
  }
  if (end === -1)
    for (end = at; isQuotable(view.getUint8(end)) && view.getUint8(end) !== terminator; ) end += 1;
  setSpan(spans, line, from, end);
  spans[3 * line + 2] = endHash(hash, view, from, at, end);
  return view.getUint8(end) === terminator ? end : -1;
}

/** Finds the space that ends a word. */
export const findSpace = (view: DataView, from: number, spans: Spans, line: number): number =>
  findEnd(view, from, (SPACE + 1) * EACH, SPACE, spans, line);

/** Finds the quote that ends a quoted text. */
export const findQuote = (view: DataView, from: number, spans: Spans, line: number): number =>
  findEnd(view, from, SPACE * EACH, QUOTE, spans, line);
