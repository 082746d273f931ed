import { isHostName, isLetter } from '../util/host-name.js';
import { normaliseHost } from '../util/target.js';

/** Values that customers log after the user agent. */
export interface Tail {
  readonly timeTakenMs: number | null;
  readonly host: string;
  /** The unnamed quoted columns, as written. */
  readonly quoted: readonly string[];
}

const SPACE = 32;
const QUOTE = 34;
const EQUALS = 61;
const BACKSLASH = 92;
const UNDERSCORE = 95;

const nothing: Tail = { timeTakenMs: null, host: '', quoted: [] };

/**
 * Reads the words from `from` on, in any order; the first of each kind counts, and others are skipped.
 * The accepted forms are listed in docs/log-format.md "Combined"; a bare integer is never a time, because it may be
 * seconds, microseconds or a counter. Quoted words without a name may be headers, which clients choose: none is a
 * time or a host.
 */
export function readTail(line: string, from: number): Tail {
  if (from >= line.length) return nothing;
  if (line.charCodeAt(line.length - 1) === SPACE) return readTail(line.trimEnd(), from);
  // The stock nginx form ends in "$http_x_forwarded_for", most often absent.
  if (line.length - from === 3 && line.endsWith('"-"')) return nothing;
  const traefikMs = line.endsWith('ms') ? readTraefikTail(line, from) : null;
  if (traefikMs !== null) return { ...nothing, timeTakenMs: traefikMs };
  const quoted: string[] = [];
  const time = createFinding<number>();
  const host = createFinding<string>();
  /** Number of words with a quote before it. */
  let quotes = 0;
  for (let item = nextItem(line, from); item !== null; item = nextItem(line, item.end)) {
    const { name, value, isQuoted } = item;
    if (isQuoted && name === '') quoted.push(value);
    else if (value !== '' && value !== '-') {
      time.add(timeOf(item), quotes);
      host.add(hostOf(item) || null, quotes);
    }
    if (isQuoted || value.includes('"')) quotes += 1;
  }
  return { timeTakenMs: time.value(), host: host.value() ?? '', quoted };
}

/**
 * The first value of a kind; none if a quote separates two different values. A server that does not escape quotes in
 * the user agent writes a client's own words before the column's closing quote.
 */
function createFinding<Value>() {
  let first: Value | null = null;
  let firstQuotes = 0;
  let isDoubtful = false;
  return {
    add(value: Value | null, quotes: number) {
      if (value === null) return;
      if (first === null) [first, firstQuotes] = [value, quotes];
      else if (value !== first && quotes !== firstQuotes) isDoubtful = true;
    },
    value: () => (isDoubtful ? null : first),
  };
}

function timeOf({ name, value }: Item): number | null {
  if (name === '') return readTime(value);
  if (name === 'rt' || name === 'request_time') return readSeconds(value);
  return name === 'D' ? readUnit(`${value}us`) : null;
}

/** `sn` is nginx's server name in its vendor's extended form. */
function hostOf({ name, value }: Item): string {
  if (name === 'host') return normaliseHost(value);
  return (name === '' || name === 'sn') && isHostName(value) ? normaliseHost(value) : '';
}

/**
 * The milliseconds of Traefik's common log, whose lines end in `count "router" "server's URL" 31ms`; null for another
 * tail. Traefik does not escape quotes in a user agent. The text before these words may be the client's, so it has
 * neither address nor host.
 */
function readTraefikTail(line: string, from: number): number | null {
  const time = line.lastIndexOf(' ') + 1;
  // Some releases write a missing server without quotes.
  const hasServer = !line.startsWith(' - ', time - 3);
  const urlAt = hasServer ? openingQuote(line, time - 2) : time - 2;
  const routerAt = openingQuote(line, urlAt - 2);
  if (routerAt <= from || !/^\d{1,9}ms$/.test(line.slice(time))) return null;
  const url = hasServer ? line.slice(urlAt + 1, time - 2) : '';
  const router = line.slice(routerAt + 1, urlAt - 2);
  if (!url.includes('://') && router !== '-' && !router.includes('@')) return null;
  const count = line.slice(line.lastIndexOf(' ', routerAt - 2) + 1, routerAt - 1);
  return /^(?:\d{1,19}|-)$/.test(count) ? Number(line.slice(time, -2)) : null;
}

/** Start of the quoted word whose closing quote is at `at`; -1 for none. */
function openingQuote(line: string, at: number): number {
  if (at < 1 || line.charCodeAt(at) !== QUOTE) return -1;
  const opening = line.lastIndexOf('"', at - 1);
  return line.charCodeAt(opening - 1) === SPACE ? opening : -1;
}

/** A word, a quoted text, or `name=` with either. */
interface Item {
  /** '' if there is none. */
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Index after it. */
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

/** Index after `name=`, or `at` if there is no name. */
function afterName(line: string, at: number): number {
  let end = at;
  for (let code = line.charCodeAt(end); isLetter(code) || code === UNDERSCORE; )
    code = line.charCodeAt(++end);
  return end > at && line.charCodeAt(end) === EQUALS ? end + 1 : at;
}

/** -1 if the text has no end; the quote is then a word's first character. */
function closingQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return -1;
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
