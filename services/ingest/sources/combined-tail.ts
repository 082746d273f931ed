import { readAddresses } from './choose-client.js';
import { normaliseHost } from './target.js';

/** What customers log behind the user agent. */
export interface Tail {
  /** Normalised addresses of a quoted list. */
  readonly forwardedFor: readonly string[];
  readonly timeTakenMs: number | null;
  readonly host: string;
}

const QUOTE = 34;
const EQUALS = 61;
const BACKSLASH = 92;
const UNDERSCORE = 95;
const HYPHEN = 45;

const nothing: Tail = { forwardedFor: [], timeTakenMs: null, host: '' };

/**
 * Reads the words from `from` on, in any order; the first of each kind counts, others are passed over.
 * The accepted forms are listed in docs/log-format.md "Combined"; a bare integer is never a time, since it may
 * be seconds, microseconds or a counter.
 */
export function readTail(line: string, from: number): Tail {
  if (from >= line.length) return nothing;
  // The stock nginx form ends in "$http_x_forwarded_for", most often absent.
  if (line.length - from === 3 && line.endsWith('"-"')) return nothing;
  let forwardedFor: readonly string[] = [];
  let timeTakenMs: number | null = null;
  let host = '';
  for (let item = nextItem(line, from); item !== null; item = nextItem(line, item.end)) {
    const { name, value, isQuoted } = item;
    if (value === '' || value === '-') continue;
    if (name === '') {
      timeTakenMs ??= readTime(value);
      if (host === '' && isHostName(value)) host = normaliseHost(value);
      else if (isQuoted && forwardedFor.length === 0) forwardedFor = readAddresses(value);
    } else if (name === 'rt' || name === 'request_time') {
      timeTakenMs ??= readSeconds(value);
    } else if (name === 'D') {
      timeTakenMs ??= readUnit(`${value}us`);
    } else if (name === 'host' && host === '') {
      host = normaliseHost(value);
    }
  }
  return { forwardedFor, timeTakenMs, host };
}

/** A word, a quoted text, or `name=` with either. */
interface Item {
  /** '' where there is none. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Index behind it. */
  readonly end: number;
}

function nextItem(line: string, from: number): Item | null {
  let at = from;
  while (isSpace(line.charCodeAt(at))) at++;
  if (at >= line.length) return null;
  let start = afterName(line, at);
  // `name=` alone is a word.
  if (start === line.length || isSpace(line.charCodeAt(start))) start = at;
  const name = start === at ? '' : line.slice(at, start - 1);
  const closing = line.charCodeAt(start) === QUOTE ? closingQuote(line, start + 1) : -1;
  if (closing !== -1) {
    return { name, value: line.slice(start + 1, closing), isQuoted: true, end: closing + 1 };
  }
  let end = start;
  while (end < line.length && !isSpace(line.charCodeAt(end))) end++;
  return { name, value: line.slice(start, end), isQuoted: false, end };
}

/** Index behind `name=`, or `at` where no name stands there. */
function afterName(line: string, at: number): number {
  let end = at;
  for (let code = line.charCodeAt(end); isLetter(code) || code === UNDERSCORE; )
    code = line.charCodeAt(++end);
  return end > at && line.charCodeAt(end) === EQUALS ? end + 1 : at;
}

/** -1 where the text has no end: the quote is a word's first character then. */
function closingQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return -1;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function readTime(value: string): number | null {
  // nginx's $request_time always has its decimals.
  return value.includes('.') ? (readSeconds(value) ?? readUnit(value)) : readUnit(value);
}

function readSeconds(value: string): number | null {
  return /^\d{1,9}(\.\d+)?$/.test(value) ? Math.round(Number(value) * 1_000) : null;
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['us', 0.001],
  ['ms', 1],
  ['s', 1_000],
]);

function readUnit(value: string): number | null {
  const match = /^(\d{1,15}(?:\.\d+)?)(us|ms|s)$/.exec(value);
  return match === null ? null : Math.round(Number(match[1]) * unitMs.get(match[2]!)!);
}

/** The longest name that DNS knows (RFC 1035 §2.3.4). */
const LONGEST_NAME = 255;

/** A dotted name whose last label is of letters (or punycode), a port behind it or not: neither an address nor a version such as TLSv1.3. */
function isHostName(value: string): boolean {
  if (value.length > LONGEST_NAME) return false;
  const colon = value.indexOf(':');
  if (colon !== -1 && !isDigits(value, colon + 1)) return false;
  const labels = (colon === -1 ? value : value.slice(0, colon)).split('.');
  const last = labels.pop()!;
  return labels.length > 0 && labels.every(isLabel) && isTopLabel(last);
}

/** Letters, digits, hyphens and underscores; the hyphen neither first nor last, the underscore not last. */
function isLabel(label: string): boolean {
  const first = label.charCodeAt(0);
  const last = label.charCodeAt(label.length - 1);
  if (!isLetterOrDigit(first) && first !== UNDERSCORE) return false;
  if (!isLetterOrDigit(last) && label.length > 1) return false;
  return hasOnly(label, 1, (code) => isLetterOrDigit(code) || code === HYPHEN || code === UNDERSCORE);
}

function isTopLabel(label: string): boolean {
  if (label.length >= 2 && hasOnly(label, 0, isLetter)) return true;
  return (
    label.length > 4 &&
    label.startsWith('xn--') &&
    hasOnly(label, 4, (code) => isLetterOrDigit(code) || code === HYPHEN)
  );
}

function isDigits(text: string, from: number): boolean {
  return from < text.length && hasOnly(text, from, (code) => code >= 48 && code <= 57);
}

function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57);
}

function hasOnly(text: string, from: number, allows: (code: number) => boolean): boolean {
  for (let at = from; at < text.length; at++) if (!allows(text.charCodeAt(at))) return false;
  return true;
}
