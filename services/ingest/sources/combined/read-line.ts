import type { FoundRows } from '../../../../shared/requests/columns/column-builder.js';
import type { Spans } from '../../../../shared/requests/columns/spans.js';
import { parseCommonLogTime } from '../util/parse-timestamp.js';
import { LONGEST_FREE_TEXT, MOST_BYTES_SENT } from '../util/request-limits.js';
import type { TimeBounds } from '../util/source.js';
import {
  digitsAt,
  findQuote,
  findSpace,
  HYPHEN,
  isAbsent,
  isWordEnd,
  QUOTE,
  SPACE,
  setSpan,
} from './find-text.js';
import { host, MOST_LINES, readTail, time_taken_ms } from './read-tail.js';

const DOT = 46;
const SLASH = 47;
const COLON = 58;
const LETTER_A = 65;
const LETTER_Z = 90;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LETTER_F = 102;
const LETTER_S = 115;
/** `HTTP`, little-endian. */
const HTTP = 0x50545448;
const LOWER_HTTP = 0x70747468;
/** `Mozi` and `lla/`. */
const MOZI = 0x697a6f4d;
const LLA_SLASH = 0x2f616c6c;

/** An IPv6 address with an IPv4 part has no more characters. */
const LONGEST_ADDRESS = 45;
const LONGEST_METHOD = 32;
/** A number with this many digits is below {@link MOST_BYTES_SENT}. */
const MOST_DIGITS = Math.floor(Math.log10(MOST_BYTES_SENT));

const spans = (): Spans => new Int32Array(3 * MOST_LINES);
export const client_ip = spans();
const method = spans();
const target = spans();
const protocol = spans();
const user_agent = spans();
const referrer = spans();
const timestamp = new Float64Array(MOST_LINES);
const status = new Uint16Array(MOST_LINES);
const bytes_sent = new Float64Array(MOST_LINES);

/** The last lines. One per process, because calls are synchronous. */
export const foundLines: FoundRows = {
  spans: { client_ip, method, host, target, protocol, user_agent, referrer },
  ...{ timestamp, status, bytes_sent, time_taken_ms },
};

/** By line: 1 if its pair shows the usual order (combined-columns.ts). */
export const showsOrder = new Uint8Array(MOST_LINES);

/** Bytes of a line's texts from clients. */
export const textBytes = (line: number): number =>
  lengthOf(target, line) + lengthOf(host, line) + lengthOf(user_agent, line) + lengthOf(referrer, line);

const lengthOf = (column: Spans, line: number): number => column[3 * line + 1]! - column[3 * line]!;

/**
 * Reads a line into {@link foundLines}. The caller checks address and host, which may be any words. Each part returns
 * the index after its text, or -1.
 * @param view of the same bytes. @returns index of the line feed; -1 if the line is not plain
 */
export function readLine(
  bytes: Uint8Array,
  view: DataView,
  line: number,
  from: number,
  times: TimeBounds,
): number {
  let at = readAddress(bytes, view, line, from);
  if (at !== -1) at = readTime(bytes, view, line, at, times);
  if (at !== -1) at = readRequest(bytes, view, line, at);
  if (at !== -1) at = readNumbers(bytes, line, at);
  setSpan(referrer, line, from, from);
  setSpan(user_agent, line, from, from);
  let columns = 0;
  for (; columns < pair.length && isQuotedAt(bytes, at); columns += 1)
    at = readQuoted(bytes, view, line, at + 2, pair[columns]!);
  if (at === -1 || !isPlainPair(view, line)) return -1;
  return readTail(bytes, line, at, columns === 2);
}

const pair = [referrer, user_agent];

/**
 * Whether there is no referrer, or one that can't be a user agent: `http:` or `https:`. Any other may show another
 * order of the columns, and is left to combined-columns.ts. Records whether the pair shows the usual order.
 */
function isPlainPair(view: DataView, line: number): boolean {
  const [from, to] = [referrer[3 * line]!, referrer[3 * line + 1]!];
  const agent = user_agent[3 * line]!;
  showsOrder[line] = Number(
    user_agent[3 * line + 1]! - agent >= 8 &&
      view.getInt32(agent, true) === MOZI &&
      view.getInt32(agent + 4, true) === LLA_SLASH,
  );
  if (from === to) return true;
  if (to - from < 6 || view.getInt32(from, true) !== LOWER_HTTP) return false;
  const next = view.getUint8(from + 4);
  return next === COLON || (next === LETTER_S && view.getUint8(from + 5) === COLON);
}

/** `address - - [` */
function readAddress(bytes: Uint8Array, view: DataView, line: number, from: number): number {
  const at = findSpace(view, from, client_ip, line);
  if (at <= from || at - from > LONGEST_ADDRESS) return -1;
  if (isMapped(bytes, from, at)) setSpan(client_ip, line, from + 7, at);
  const isOfNobody =
    bytes[at + 1] === HYPHEN &&
    bytes[at + 2] === SPACE &&
    bytes[at + 3] === HYPHEN &&
    bytes[at + 4] === SPACE;
  return isOfNobody && bytes[at + 5] === OPEN_BRACKET ? at + 6 : -1;
}

/** Whether `::ffff:` precedes what may be an IPv4 address, as a dual-stack server writes it: the prefix is not kept (client-ip.ts). */
function isMapped(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== COLON || bytes[from + 1] !== COLON || bytes[from + 6] !== COLON) return false;
  for (let at = from + 2; at < from + 6; at += 1) if (bytes[at] !== LETTER_F) return false;
  for (let at = from + 7; at < to; at += 1) if (bytes[at] === COLON) return false;
  return true;
}

/** `17/Nov/2026:12:00:02 +0000] "` */
function readTime(bytes: Uint8Array, view: DataView, line: number, at: number, times: TimeBounds): number {
  const isTime =
    bytes[at + 11] === COLON &&
    bytes[at + 14] === COLON &&
    bytes[at + 17] === COLON &&
    bytes[at + 20] === SPACE &&
    bytes[at + 26] === CLOSE_BRACKET &&
    bytes[at + 27] === SPACE &&
    bytes[at + 28] === QUOTE;
  if (!isTime || !(isOfDay(view, at) || beginDay(bytes, view, at))) return -1;
  const hours = digitsAt(bytes, at + 12, at + 14);
  const minutes = digitsAt(bytes, at + 15, at + 17);
  const seconds = digitsAt(bytes, at + 18, at + 20);
  if (hours === -1 || hours > 23 || minutes === -1 || minutes > 59 || seconds === -1 || seconds > 59)
    return -1;
  const time = midnight + ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  timestamp[line] = time;
  return time >= times.earliest && time <= times.latest ? at + 29 : -1;
}

/** Bytes of the last line's date and zone, which most lines share, and the midnight of that day, in milliseconds since the epoch. */
const day = new Int32Array(5);
let midnight = Number.NaN;

function isOfDay(view: DataView, at: number): boolean {
  return (
    view.getInt32(at, true) === day[0] &&
    view.getInt32(at + 4, true) === day[1] &&
    view.getInt32(at + 7, true) === day[2] &&
    view.getInt32(at + 21, true) === day[3] &&
    view.getUint8(at + 25) === day[4]
  );
}

/** @returns whether there is such a day */
function beginDay(bytes: Uint8Array, view: DataView, at: number): boolean {
  const time = Buffer.from(bytes.subarray(at, at + 26)).toString('latin1');
  const parsed = parseCommonLogTime(`${time.slice(0, 11)}:00:00:00 ${time.slice(21)}`, 0);
  if (Number.isNaN(parsed)) return false;
  midnight = parsed;
  day.set([0, 4, 7, 21].map((from) => view.getInt32(at + from, true)));
  day[4] = view.getUint8(at + 25);
  return true;
}

/** `METHOD /target HTTP/1.1" `: a method in capital letters, a target without spaces. */
function readRequest(bytes: Uint8Array, view: DataView, line: number, from: number): number {
  let at = from;
  while (bytes[at]! >= LETTER_A && bytes[at]! <= LETTER_Z && at - from < LONGEST_METHOD) at += 1;
  if (at === from || bytes[at] !== SPACE || bytes[at + 1] !== SLASH) return -1;
  setSpan(method, line, from, at);
  const end = findSpace(view, at + 1, target, line);
  return end === -1 || end - at - 1 > LONGEST_FREE_TEXT ? -1 : readProtocol(bytes, view, line, end + 1);
}

/** `HTTP/1.1" ` */
function readProtocol(bytes: Uint8Array, view: DataView, line: number, at: number): number {
  if (bytes[at + 4] !== SLASH || bytes[at + 6] !== DOT || bytes[at + 8] !== QUOTE) return -1;
  if (bytes[at + 9] !== SPACE || view.getInt32(at, true) !== HTTP) return -1;
  const major = digitsAt(bytes, at + 5, at + 6);
  const minor = digitsAt(bytes, at + 7, at + 8);
  // HTTP/2.0 is kept as HTTP/2 (target.ts).
  setSpan(protocol, line, at, at + (major === 1 ? 8 : 6));
  return (major === 1 && minor === 1) || (minor === 0 && major >= 1 && major <= 3) ? at + 10 : -1;
}

/** `status bytes` */
function readNumbers(bytes: Uint8Array, line: number, from: number): number {
  const code = digitsAt(bytes, from, from + 3);
  const start = from + 4;
  let end = start;
  while (!isWordEnd(bytes[end]!) && end - start <= MOST_DIGITS) end += 1;
  const sent = isAbsent(bytes, start, end) ? 0 : digitsAt(bytes, start, end);
  status[line] = code;
  bytes_sent[line] = sent;
  const hasBoth = code !== -1 && bytes[from + 3] === SPACE && sent !== -1;
  return hasBoth && end > start && end - start <= MOST_DIGITS ? end : -1;
}

/** @param at index of a space; -1 */
const isQuotedAt = (bytes: Uint8Array, at: number): boolean => bytes[at] === SPACE && bytes[at + 1] === QUOTE;

/** `text"`. A hyphen is no text. */
function readQuoted(bytes: Uint8Array, view: DataView, line: number, from: number, column: Spans): number {
  const end = findQuote(view, from, column, line);
  if (end === -1 || end - from > LONGEST_FREE_TEXT || !isWordEnd(bytes[end + 1]!)) return -1;
  if (isAbsent(bytes, from, end)) setSpan(column, line, from, from);
  return end + 1;
}
