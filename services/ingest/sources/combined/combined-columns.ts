import { readAddresses } from '../util/choose-client.js';
import { isHostName } from '../util/host-name.js';
import type { Rejection } from '../util/source.js';
import { closingQuote, isBoundary } from '../util/split-words.js';

/** Finds the referrer and the user agent among the quoted columns after the byte count. */

export interface QuotedPair {
  /** As written, without the quotes; '' if there is none. */
  readonly referrer: string;
  readonly userAgent: string;
  /** Number of the two that the line has. */
  readonly columns: 0 | 1 | 2;
  /** Index after them. */
  readonly end: number;
}

const QUOTE = 34;
const SPACE = 32;
const EQUALS = 61;
const advice = 'describe the lines by ?format=… (docs/sources/own-format.md)';
const unclosed: Rejection = { reject: 'a quoted field is not closed (line cut off?)' };
const ambiguousBytes: Rejection = {
  reject: `several whole numbers between status and referrer: which is the byte count is unknown; ${advice}`,
};
const noPair: Rejection = {
  reject: `the quoted columns are not a pair "referrer" "user agent"; ${advice}`,
};
export const otherOrder: Rejection = {
  reject: `the quoted columns do not look like "referrer" "user agent"; ${advice}`,
};

/**
 * Finds the pair `"referrer" "user agent"`. Bare words before it are skipped; a second whole number among them could
 * be the byte count.
 * @param from index after the byte count
 */
export function findQuotedPair(line: string, from: number): QuotedPair | Rejection {
  const opening = firstQuoted(line, from);
  if (opening === -1) return { referrer: '', userAgent: '', columns: 0, end: from + 1 };
  if (opening > from + 1 && holdsWholeNumber(line, from, opening)) return ambiguousBytes;
  const referrerEnd = closingQuote(line, opening + 1);
  if (referrerEnd === -1) return unclosed;
  const referrer = line.slice(opening + 1, referrerEnd);
  if (line.charCodeAt(referrerEnd + 2) !== QUOTE) {
    const isAlone = opening === from + 1 && firstQuoted(line, referrerEnd + 1) === -1;
    return isAlone ? { referrer, userAgent: '', columns: 1, end: referrerEnd + 2 } : noPair;
  }
  const agentEnd = closingQuote(line, referrerEnd + 3);
  if (agentEnd === -1) return unclosed;
  return { referrer, userAgent: line.slice(referrerEnd + 3, agentEnd), columns: 2, end: agentEnd + 2 };
}

/** Index of the first quote that begins a word; -1 for none. A value after `name=` is not a column. */
function firstQuoted(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    if (line.charCodeAt(at - 1) === SPACE) return at;
    if (line.charCodeAt(at - 1) !== EQUALS) continue;
    at = line.indexOf('"', at + 1);
    if (at === -1) return -1;
  }
  return -1;
}

function holdsWholeNumber(line: string, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const start = at;
    while (isDigit(line.charCodeAt(at))) at++;
    if (at > start && isBoundary(line.charCodeAt(at))) return true;
    while (at < to && line.charCodeAt(at) !== SPACE) at++;
    while (line.charCodeAt(at) === SPACE) at++;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

type Kind = 'absent' | 'url' | 'address' | 'number' | 'host' | 'product' | 'text';

const URL_START = /^(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?\/\//;
/** RFC 9110 §10.1.5: a user agent begins with a product and its version. */
const PRODUCT = /^[A-Za-z][\w.-]{0,60}\/\d/;

function kindOf(value: string): Kind {
  if (value === '' || value === '-') return 'absent';
  if (URL_START.test(value)) return 'url';
  if (PRODUCT.test(value)) return 'product';
  if (readAddresses(value).length > 0) return 'address';
  if (/^\d{1,20}(?:\.\d{1,20})?$/.test(value)) return 'number';
  return isHostName(value) ? 'host' : 'text';
}

const noUserAgent: ReadonlySet<Kind> = new Set(['absent', 'url', 'address', 'number', 'host']);
const ofServer: ReadonlySet<Kind> = new Set(['address', 'number', 'host']);

/** Whether the order of an upload's quoted columns is `"referrer" "user agent"`. */
export interface ColumnOrder {
  /** Counts plain lines that have shown the usual order. */
  confirm(lines: number): void;
  /**
   * @param behind the unnamed quoted columns after the pair. @returns whether the line may be read in the usual order
   */
  admits(pair: QuotedPair, behind: readonly string[]): boolean;
}

/** One line in the usual order allows this many lines with odd texts of clients. */
const DOUBTS_PER_LINE = 10;

/**
 * Clients choose referrer and user agent, so one line proves no order: a client must not be able to hide from the log
 * with an address as its referrer. A doubtful line is read if other lines of the upload show the usual order;
 * otherwise it is rejected.
 */
export function createColumnOrder(): ColumnOrder {
  let confirmed = 0;
  let doubtful = 0;
  return {
    confirm(lines) {
      confirmed += lines;
    },
    admits(pair, behind) {
      if (pair.columns === 0) return true;
      // Such a line is never in doubt, so most lines need no check of their kinds.
      if (showsOrder(pair)) {
        confirmed += 1;
        return true;
      }
      if (!isDoubtful(kindOf(pair.referrer), kindOf(pair.userAgent), behind)) return true;
      doubtful += 1;
      return doubtful < confirmed * DOUBTS_PER_LINE;
    },
  };
}

/** Whether the line has the most frequent form: a user agent like a browser's, and no referrer except a URL. */
export function showsOrder({ referrer, userAgent }: QuotedPair): boolean {
  if (!userAgent.startsWith('Mozilla/')) return false;
  return referrer === '' || referrer === '-' || /^https?:/.test(referrer);
}

/** Whether another column than the second looks like the user agent, or one of the server's precedes what may be it. */
function isDoubtful(referrer: Kind, userAgent: Kind, behind: readonly string[]): boolean {
  if (behind.some(hasValue) && (ofServer.has(referrer) || ofServer.has(userAgent))) return true;
  if (!noUserAgent.has(userAgent)) return false;
  if (referrer === 'product' || referrer === 'address') return true;
  // An address may be the agent of a client, where the columns are "forwarded" "referrer" "user agent".
  return behind.some((value) => isText(kindOf(value)) || readAddresses(value).length > 0);
}

const hasValue = (value: string) => value !== '' && value !== '-';

function isText(kind: Kind): boolean {
  return kind === 'product' || kind === 'text';
}
