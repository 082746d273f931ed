import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { createForwardedColumn, type ForwardedColumn } from '../combined-forwarded.js';
import { chooseClient } from '../util/choose-client.js';
import { isLocalIp } from '../util/ip-form.js';
import { notATime } from '../util/not-a-time.js';
import { COMMON_LOG_TIME_LENGTH, findRequestTime, parseCommonLogTime } from '../util/parse-timestamp.js';
import { splitRequestLine } from '../util/request-line.js';
import type { LineSource, Parsed, Rejection } from '../util/source.js';
import { isBoundary, isEscaped } from '../util/split-words.js';
import { unescapeLogText } from '../util/unescape-log-text.js';
import {
  beginsWithClient,
  isSureOfHosts,
  namesHosts,
  noAddress,
  type PrefixOrder,
  readClient,
} from './combined-client.js';
import {
  type ColumnOrder,
  createColumnOrder,
  findQuotedPair,
  otherOrder,
  showsOrder,
} from './combined-columns.js';
import { readTail } from './combined-tail.js';
import { createPlainCombinedReader } from './read-lines.js';

/**
 * The common and combined log forms of nginx and Apache, with their usual prefixes and tails: docs/log-format.md
 * "Combined". The line is read once, by hand. A regular expression would cost several times as much, and hostile user
 * agents would make it backtrack.
 */
export const combined: LineSource = {
  name: 'combined',
  shape: 'lines',
  detect(line) {
    const timeAt = findRequestTime(line);
    return timeAt !== -1 && beginsWithClient(line.slice(0, timeAt));
  },
  open() {
    const order = createColumnOrder();
    const forwarded = createForwardedColumn();
    const seen: SeenLines = { order, forwarded, prefix: { hosts: 0, pairs: 0 } };
    const onBrowsers = (lines: number, proxied: number) => {
      order.confirm(lines);
      forwarded.noteWithout(proxied);
    };
    return {
      parse: (line) => parseLine(line, seen),
      openPlainReader: (times, sink) => createPlainCombinedReader('combined', { times, sink, onBrowsers }),
    };
  },
};

const notCombined: Rejection = {
  reject: 'not in combined log format; describe another form by ?format=… (docs/sources/own-format.md)',
};

const SPACE = 32;

/** Facts that an upload's lines have shown so far. */
interface SeenLines {
  readonly order: ColumnOrder;
  readonly forwarded: ForwardedColumn;
  readonly prefix: PrefixOrder;
}

function parseLine(line: string, seen: SeenLines): Parsed {
  const timeAt = findRequestTime(line);
  if (timeAt === -1) return notCombined;
  const requestAt = timeAt + COMMON_LOG_TIME_LENGTH + 4;
  const requestEnd = findRequestEnd(line, requestAt);
  if (requestEnd === -1) return notCombined;

  const status = threeDigits(line, requestEnd + 2);
  const bytesAt = requestEnd + 6;
  const bytesEnd = endOfWord(line, bytesAt);
  const pair = findQuotedPair(line, bytesEnd);
  if ('reject' in pair) return pair;
  const timestamp = parseCommonLogTime(line, timeAt + 1);
  if (Number.isNaN(timestamp))
    return notATime(line.slice(timeAt + 1, requestAt - 3), 'DD/Mon/YYYY:HH:MM:SS ±HHMM');
  const tail = readTail(line, pair.end);
  if (!seen.order.admits(pair, tail.quoted)) return otherOrder;
  const client = readClient(line, timeAt - 1, seen.prefix);
  if ('reject' in client) return client;
  const request = splitRequestLine(unescapeLogText(line.slice(requestAt, requestEnd)));
  const withClient = (ip: string, host: string): RawRequest => ({
    timestamp,
    client_ip: ip,
    method: request.method,
    host: host || tail.host || request.host,
    target: request.target,
    protocol: request.protocol,
    status,
    bytes_sent: readByteCount(line, bytesAt, bytesEnd),
    time_taken_ms: tail.timeTakenMs,
    user_agent: field(pair.userAgent),
    referrer: field(pair.referrer),
    request_id: '',
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
  });
  const { connection } = client.ifNamesHosts ?? client;
  const column = connection.every(isLocalIp) ? seen.forwarded.note(tail.quoted, showsOrder(pair)) : null;
  const decide = () => {
    const { connection, host, word } =
      client.ifNamesHosts !== undefined && namesHosts(seen.prefix) ? client.ifNamesHosts : client;
    const isForwarded = column !== null && seen.forwarded.isList(column.column);
    const ip = chooseClient(connection, isForwarded ? column.addresses : []);
    return ip === '' ? noAddress(word) : withClient(ip, host);
  };
  const isSure =
    (client.ifNamesHosts === undefined || isSureOfHosts(seen.prefix)) &&
    (column === null || seen.forwarded.isSure);
  return isSure ? decide() : { decide };
}

/** The request line ends at the first quote before a status, because some servers do not escape quotes in it. */
function findRequestEnd(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1) {
    if (
      line.charCodeAt(at + 1) === SPACE &&
      threeDigits(line, at + 2) >= 0 &&
      isBoundary(line.charCodeAt(at + 5)) &&
      !isEscaped(line, at, from)
    ) {
      return at;
    }
    at = line.indexOf('"', at + 1);
  }
  return -1;
}

function endOfWord(line: string, from: number): number {
  const end = line.indexOf(' ', from);
  return end === -1 ? line.length : end;
}

/** A quoted field's text; '-' is the servers' mark for an absent header. */
function field(text: string): string {
  return text === '-' ? '' : unescapeLogText(text);
}

/** -1 without three digits. */
function threeDigits(line: string, at: number): number {
  const hundreds = line.charCodeAt(at) - 48;
  const tens = line.charCodeAt(at + 1) - 48;
  const ones = line.charCodeAt(at + 2) - 48;
  const digits = hundreds >= 0 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return digits ? hundreds * 100 + tens * 10 + ones : -1;
}

/** Apache writes '-' for no bytes. NaN for other text. */
function readByteCount(line: string, from: number, to: number): number {
  if (to <= from || (to - from === 1 && line.charCodeAt(from) === 45)) return 0;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = line.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
