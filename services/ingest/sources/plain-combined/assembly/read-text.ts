import { byteAt, isQuotable, QUOTE, SPACE } from './read-bytes';

/** Finds the end of a text and hashes it on the way (shared/requests/columns/hash-bytes.ts), four bytes at a time where none of them can end it. */

const EACH: i32 = 0x01010101;
const HIGH: i32 = 0x80808080;
const QUOTES: i32 = 0x22222222;
const BACKSLASHES: i32 = 0x5c5c5c5c;
const PRIME: i32 = 0x01000193;

/** What every hash begins with: the hash of the empty text. */
export let noHash: i32 = 0;
/** Of the text that was found last. */
export let textHash: i32 = 0;

export function setNoHash(hash: i32): void {
  noHash = hash;
}

@inline
function addToHash(hash: i32, part: i32): i32 {
  const sum = (hash ^ part) * PRIME;
  return sum ^ (sum >>> 15);
}

/** @returns index of the space that ends the word; -1 where anything but quotable ASCII stands before it. */
export function toSpace(from: i32): i32 {
  return toEnd(from, SPACE + 1, SPACE);
}

/** @returns index of the quote that ends the text; -1 where anything but quotable ASCII stands before it. */
export function toQuote(from: i32): i32 {
  return toEnd(from, SPACE, QUOTE);
}

/** A word of four bytes that holds a byte below `least`, no ASCII, a quote or a backslash ends the loop (Bit Twiddling Hacks, "Determine if a word has a byte less than n"). */
@inline
function toEnd(from: i32, least: i32, terminator: i32): i32 {
  let hash = noHash;
  let at = from;
  for (; ; at += 4) {
    const word = load<i32>(at);
    const quotes = word ^ QUOTES;
    const backslashes = word ^ BACKSLASHES;
    const found =
      word |
      ((word - least * EACH) & ~word) |
      ((quotes - EACH) & ~quotes) |
      ((backslashes - EACH) & ~backslashes);
    if (found & HIGH) break;
    hash = addToHash(hash, word);
  }
  for (let byte = byteAt(at); byte != terminator; byte = byteAt(++at)) {
    if (!isQuotable(byte)) return -1;
    hash = addToHash(hash, byte);
  }
  textHash = hash;
  return at;
}

/** Hashes a text whose end is known. */
export function hashText(from: i32, to: i32): i32 {
  let hash = noHash;
  let at = from;
  for (; at + 4 <= to; at += 4) hash = addToHash(hash, load<i32>(at));
  for (; at < to; at++) hash = addToHash(hash, byteAt(at));
  return hash;
}
