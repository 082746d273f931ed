import { addToHash, beginHash, viewOf } from '../../../../shared/requests/columns/hash-bytes.js';
import { isQuotable, QUOTE, SPACE } from './bytes.js';

/** Finds the end of a text and hashes it on the way, four bytes at a time where none of them can end it. */
export interface TextScanner {
  /** The bytes that are scanned next. */
  attach(bytes: Buffer): void;
  view(): DataView;
  /** @returns index of the quote that ends the text; -1 where anything but quotable ASCII stands before it. */
  toQuote(from: number): number;
  /** @returns index of the space that ends the word; -1 where anything but quotable ASCII stands before it. */
  toSpace(from: number): number;
  /** Of the text that was found last (hashBytes). */
  hash(): number;
}

const EACH = 0x01010101;
const HIGH = 0x80808080 | 0;
const QUOTES = QUOTE * EACH;
const BACKSLASHES = 92 * EACH;

/** Whether one of four bytes is below `least`, no ASCII, a quote or a backslash (Bit Twiddling Hacks, "Determine if a word has a byte less than n"). */
function endsText(word: number, least: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const found =
    word |
    ((word - least * EACH) & ~word) |
    ((quotes - EACH) & ~quotes) |
    ((backslashes - EACH) & ~backslashes);
  return (found & HIGH) !== 0;
}

export function createTextScanner(): TextScanner {
  let bytes: Uint8Array = Buffer.alloc(0);
  let view = viewOf(bytes);
  let hash = 0;

  function scan(from: number, least: number, terminator: number): number {
    let sum = beginHash();
    let at = from;
    const last = bytes.length - 4;
    for (; at <= last; at += 4) {
      const word = view.getInt32(at, true);
      if (endsText(word, least)) break;
      sum = addToHash(sum, word);
    }
    for (let byte = bytes[at]!; byte !== terminator; byte = bytes[++at]!) {
      if (!isQuotable(byte)) return -1;
      sum = addToHash(sum, byte);
    }
    hash = sum;
    return at;
  }

  return {
    attach(next) {
      bytes = next;
      view = viewOf(next);
    },
    view: () => view,
    toQuote: (from) => scan(from, SPACE, QUOTE),
    toSpace: (from) => scan(from, SPACE + 1, SPACE),
    hash: () => hash,
  };
}
