import { PublicError } from '../../../shared/errors.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses } from './util/choose-client.js';
import { ipBeforePort, normaliseIp } from './util/client-ip.js';
import { readCountry, readText } from './util/coerce.js';
import { quote } from './util/cut-text.js';
import { type HeaderField, headerFields } from './util/header-field.js';
import { notATime } from './util/not-a-time.js';
import { findCommonLogTime, findRequestTime, parseClockTime } from './util/parse-timestamp.js';
import { splitRequestLine } from './util/request-line.js';
import type { LineSource, Parsed, Rejection, Skip } from './util/source.js';
import { normaliseHost } from './util/target.js';
import { readTimezone, type ToInstant } from './util/timezone.js';

/**
 * HAProxy's `option httplog` and `option httpslog`, with a syslog prefix or without: docs/sources/haproxy.md.
 * `client:port [time] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes - - state conns queues {captures} {…} "request"`
 */
export const haproxy: LineSource = {
  name: 'haproxy',
  shape: 'lines',
  // In a combined line the user's name, which visitors choose, may look like these columns.
  detect: (line) => holdsColumns(line) && findRequestTime(line) === -1,
  open: ({ query }) => {
    const toInstant = readTimezone(query);
    const captures = readCaptures(query.get('captures') ?? '');
    return { parse: (line) => parseLine(line, captures, toInstant) };
  },
};

const notHttplog: Rejection = { reject: 'not in HAProxy’s httplog format' };
const noRequest: Skip = { skip: 'a connection without a request' };

/** Length of `06/Feb/2009:12:14:14.655`. */
const CLOCK_TIME_LENGTH = 24;
/** The columns that identify a line of HAProxy. */
const LONGEST_BEGINNING = 700;
/** Words between the time and the captures, by their places. */
const [TIMERS, STATUS, BYTES, WORDS] = [2, 3, 4, 10];

/** Index of the '[' before a time with milliseconds and without an offset, or -1. */
function findClockTime(line: string): number {
  const at = findCommonLogTime(line);
  return at !== -1 && line.charCodeAt(at + 21) === 46 && line.charCodeAt(at + 25) === 93 ? at : -1;
}

/**
 * A client's port precedes the time. A frontend, a server and timers, or a failed handshake follow. No text before
 * the time is a visitor's.
 */
function holdsColumns(line: string): boolean {
  const timeAt = findClockTime(line);
  if (timeAt < 2 || !/:\d{1,5} $/.test(line.slice(Math.max(0, timeAt - 8), timeAt))) return false;
  if (/["|{]/.test(line.slice(0, timeAt))) return false;
  const behind = timeAt + CLOCK_TIME_LENGTH + 3;
  const [frontend = '', server, timers] = line
    .slice(behind, behind + LONGEST_BEGINNING)
    .split(' ', TIMERS + 1);
  return frontend.endsWith(':') || (server?.includes('/') === true && timers?.includes('/') === true);
}

function parseLine(line: string, captures: readonly (HeaderField | null)[], toInstant: ToInstant): Parsed {
  const timeAt = findClockTime(line);
  if (timeAt < 2) return notHttplog;
  const words: string[] = [];
  let at = timeAt + CLOCK_TIME_LENGTH + 3;
  for (; words.length < WORDS; ) {
    const end = line.indexOf(' ', at);
    if (end === -1) break;
    words.push(line.slice(at, end));
    at = end + 1;
  }
  // `frontend/bind: SSL handshake failure`, and lines of TCP mode, which have three timers and no status.
  if (words[0]?.endsWith(':') === true || countSlashes(words[TIMERS] ?? '') === 2) return noRequest;
  if (words.length < WORDS) return notHttplog;
  const headers = readHeaders(line, at, captures);
  const requestAt = line.indexOf('"', headers.end);
  if (requestAt === -1) return notHttplog;
  // A line longer than HAProxy's limit is cut within its request; the columns before are complete.
  const closing = line.indexOf('"', requestAt + 1);
  const requestEnd = closing === -1 ? line.length : closing;
  const timestamp = toInstant(parseClockTime(line, timeAt + 1));
  if (Number.isNaN(timestamp)) {
    return notATime(line.slice(timeAt + 1, timeAt + 1 + CLOCK_TIME_LENGTH), 'DD/Mon/YYYY:HH:MM:SS.mmm');
  }
  const { values } = headers;
  const peer = line.slice(line.lastIndexOf(' ', timeAt - 2) + 1, timeAt - 1);
  const client = findClient(peer, values);
  if (client === '') return { reject: `client_ip: ${quote(peer)} is no address with its port` };
  const request = splitRequestLine(decodeHashes(line.slice(requestAt + 1, requestEnd)));
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: normaliseHost(values.get('host') ?? '') || request.host || serverName(line, requestEnd + 1),
    target: request.target,
    protocol: request.protocol,
    status: readStatus(words[STATUS]!),
    bytes_sent: readCount(words[BYTES]!),
    time_taken_ms: readTotal(words[TIMERS]!),
    user_agent: values.get('user_agent') ?? '',
    referrer: values.get('referrer') ?? '',
    request_id: values.get('request_id') ?? '',
    content_type: '',
    cache_status: '',
    source_country: readCountry(values.get('country')),
    source_asn: null,
    cdn_bot_category: '',
  } satisfies RawRequest;
}

function findClient(peer: string, values: ReadonlyMap<HeaderField, string>): string {
  const captured = normaliseIp(values.get('client') ?? '');
  const forwardedFor = values.get('forwarded_for');
  if (captured === '' && forwardedFor === undefined) return ipBeforePort(peer);
  const connected = [captured, ipBeforePort(peer)].filter((address) => address !== '');
  return chooseClient(connected, readAddresses(forwardedFor ?? ''));
}

const none: ReadonlyMap<HeaderField, string> = new Map();

interface Captured {
  readonly values: ReadonlyMap<HeaderField, string>;
  /** Index after the braces. */
  readonly end: number;
}

/**
 * `{a|b} {c}`: the first braces are the request's captures, the next ones the response's. Braces and bars in values
 * are encoded.
 */
function readHeaders(line: string, from: number, captures: readonly (HeaderField | null)[]): Captured {
  if (line.charCodeAt(from) !== 123 /* { */) return { values: none, end: from };
  const end = line.indexOf('} ', from);
  if (end === -1) return { values: none, end: from };
  if (captures.length === 0) return { values: none, end: end + 2 };
  const values = new Map<HeaderField, string>();
  let at = from + 1;
  for (const field of captures) {
    if (at > end) break;
    const bar = line.indexOf('|', at);
    const to = bar === -1 || bar > end ? end : bar;
    const value = to > at ? readText(decodeHashes(line.slice(at, to))) : '';
    if (field !== null && value !== '' && !values.has(field)) values.set(field, value);
    at = to + 1;
  }
  return { values, end: end + 2 };
}

/** HAProxy writes bytes that could be its own marks, and bytes beyond ASCII, as `#HH`. */
function decodeHashes(text: string): string {
  if (!text.includes('#')) return text;
  return text.replace(/(?:#[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('#', ''), 'hex').toString());
}

/** After the request of httpslog: five codes, then `name/version/cipher` with the name that TLS was asked for. */
function serverName(line: string, from: number): string {
  if (line.charCodeAt(from) !== 32) return '';
  const second = line.indexOf(' ', from + 1);
  const slash = second === -1 ? -1 : line.indexOf('/', second);
  if (slash === -1) return '';
  const name = line.slice(second + 1, slash);
  return name === '-' || name.includes(' ') ? '' : normaliseHost(name);
}

/** -1: no answer was sent. */
function readStatus(word: string): number {
  if (word === '-1') return 0;
  return /^\d{3}$/.test(word) ? Number(word) : Number.NaN;
}

/** With `option logasap` a plus precedes the bytes so far. */
function readCount(word: string): number {
  const digits = word.charCodeAt(0) === 43 /* + */ ? word.slice(1) : word;
  return /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** The last timer is the whole time, in milliseconds. It is unknown if the answer was not complete. */
function readTotal(timers: string): number | null {
  const total = timers.slice(timers.lastIndexOf('/') + 1);
  return /^\d{1,10}$/.test(total) ? Number(total) : null;
}

function countSlashes(word: string): number {
  let count = 0;
  for (let at = word.indexOf('/'); at !== -1 && count < 5; at = word.indexOf('/', at + 1)) count++;
  return count;
}

const MOST_CAPTURES = 64;
const LONGEST_NAME = 64;

/**
 * The fields of the places in the braces, by the headers that `?captures=` names.
 * @throws PublicError (400)
 */
function readCaptures(written: string): readonly (HeaderField | null)[] {
  if (written === '') return [];
  const names = written.split(',', MOST_CAPTURES + 1).map((name) => name.trim().toLowerCase());
  if (names.length > MOST_CAPTURES) {
    throw new PublicError('invalid_request', `captures: more than ${MOST_CAPTURES} names`);
  }
  return names.map((name) => {
    if (name.length <= LONGEST_NAME && /^[a-z0-9_-]*$/.test(name)) return headerFields.get(name) ?? null;
    throw new PublicError(
      'invalid_request',
      `captures: ${quote(name)} is no header's name; give the captured request headers in their order, such as user-agent,referer,host`,
    );
  });
}
