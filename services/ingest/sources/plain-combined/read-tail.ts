import { NONE } from '../../../../shared/requests/columns/request-columns.js';
import { isHostName } from '../host-name.js';
import { MOST_TIME_TAKEN_MS } from '../request-limits.js';
import { normaliseHost } from '../target.js';
import {
  DIGIT_0,
  HYPHEN,
  isEqual,
  isQuotable,
  isWordEnd,
  LINE_FEED,
  QUOTE,
  SPACE,
  threeDigits,
} from './bytes.js';

const DOT = 46;
/** Words behind the user agent; a line with more is not plain. */
const MOST_WORDS = 8;
/** So that milliseconds stay below {@link MOST_TIME_TAKEN_MS}. */
const MOST_SECONDS_DIGITS = Math.floor(Math.log10(MOST_TIME_TAKEN_MS / 1_000));

/** Reads what may stand behind the user agent: one time in seconds with three decimals (nginx's $request_time), one host name, hyphens. */
export function createPlainTail() {
  let timeTakenMs = NONE;
  let host = '';
  /** The last word that was looked at as a host name, and what it was: the log of one site has one. */
  let known = Buffer.alloc(0);
  let knownHost = '';

  /** @returns the host, lower case already; '' where the word is none. */
  function hostOf(bytes: Buffer, from: number, to: number): string {
    if (!isEqual(bytes, from, to, known)) {
      const word = bytes.toString('latin1', from, to);
      known = Buffer.from(bytes.subarray(from, to));
      knownHost = isHostName(word) && normaliseHost(word) === word ? word : '';
    }
    return knownHost;
  }

  /** Takes a word. @returns false where it is nothing that a plain line has there. */
  function take(bytes: Buffer, from: number, to: number, isQuoted: boolean): boolean {
    if (to === from || (to - from === 1 && bytes[from] === HYPHEN)) return true;
    const milliseconds = isQuoted ? -1 : millisecondsOf(bytes, from, to);
    if (milliseconds !== -1) {
      if (timeTakenMs !== NONE) return false;
      timeTakenMs = milliseconds;
      return true;
    }
    if (host !== '') return false;
    host = hostOf(bytes, from, to);
    return host !== '';
  }

  return {
    timeTakenMs: () => timeTakenMs,
    host: () => host,
    /** @param from index behind the user agent's quote, or behind the bytes. @returns index of the line feed; -1. */
    read(bytes: Buffer, from: number): number {
      timeTakenMs = NONE;
      host = '';
      let at = from;
      for (let words = 0; words <= MOST_WORDS; words += 1) {
        while (bytes[at] === SPACE) at += 1;
        if (bytes[at] === LINE_FEED) return at;
        const isQuoted = bytes[at] === QUOTE;
        const start = isQuoted ? at + 1 : at;
        const end = endOfWord(bytes, start, isQuoted ? QUOTE : SPACE);
        if (end === -1 || !take(bytes, start, end, isQuoted)) return -1;
        at = isQuoted ? end + 1 : end;
        if (!isWordEnd(bytes[at]!)) return -1;
      }
      return -1;
    },
  };
}

/** A host name has no more characters. */
const LONGEST_WORD = 255;

function endOfWord(bytes: Buffer, from: number, terminator: number): number {
  let at = from;
  while (isQuotable(bytes[at]!) && bytes[at] !== terminator && at - from <= LONGEST_WORD) at += 1;
  return bytes[at] === terminator || (terminator === SPACE && bytes[at] === LINE_FEED) ? at : -1;
}

/** Of `0.003`; -1 for anything else. */
function millisecondsOf(bytes: Buffer, from: number, to: number): number {
  const dot = to - 4;
  if (dot <= from || dot - from > MOST_SECONDS_DIGITS || bytes[dot] !== DOT) return -1;
  let seconds = 0;
  for (let at = from; at < dot; at += 1) {
    const digit = bytes[at]! - DIGIT_0;
    if (!(digit >= 0 && digit <= 9)) return -1;
    seconds = seconds * 10 + digit;
  }
  const fraction = threeDigits(bytes, dot + 1);
  return fraction === -1 ? -1 : seconds * 1_000 + fraction;
}
