import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from '../util/choose-client.js';
import {
  readAsn,
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readWord,
} from '../util/coerce.js';
import { quote } from '../util/cut-text.js';
import { notATime } from '../util/not-a-time.js';
import { parseDuration } from '../util/parse-duration.js';
import { parseWrittenTime, wholeMilliseconds } from '../util/parse-timestamp.js';
import { type RequestLine, splitRequestLine } from '../util/request-line.js';
import type { JsonRecord, JsonSource, Rejection, Skip, UploadParser } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';
import { unescapeBytes } from '../util/unescape-log-text.js';
import { createFieldCollector, type FoundField, type FoundFields } from './collect-fields.js';
import { foldName, LONGEST_NAME } from './json-names.js';

/**
 * The collector for records before a source is chosen. One serves all, because making a collector costs more than
 * reading a record, and a body may have many unrecognised records.
 */
const collectUnread = createFieldCollector();

/** JSON records with names that people or their tools have chosen: json-names.ts, docs/sources/json.md. */
export const json: JsonSource = {
  name: 'json',
  shape: 'json',
  detect: (record) => isWritten(record, collectUnread(record)),

  isWhole(record) {
    const found = collectUnread(record);
    const hasClient = isHostTheClient(record, found) || hasAddress(found);
    return hasClient && hasTarget(found) && hasTime(found) && (has(found.method) || has(found.request));
  },

  open(): UploadParser<JsonRecord> {
    const collect = createFieldCollector();
    /** A record is detected before it is parsed, so the last result may be reused. */
    let last: JsonRecord | undefined;
    let found: FoundFields;
    const find = (record: JsonRecord): FoundFields => {
      if (last !== record) found = collect(record);
      last = record;
      return found;
    };
    return {
      recognises: (record) => isWritten(record, find(record)),
      parse(record) {
        const its = find(record);
        last = undefined;
        return read(its, isHostTheClient(record, its));
      },
    };
  },
};

const has = (field: FoundField) => field.known !== null;
const hasAddress = ({ client, forwarded, proxyHeader }: FoundFields) =>
  has(client) || has(forwarded) || has(proxyHeader);
const hasTarget = ({ target, request, path }: FoundFields) => has(target) || has(request) || has(path);
const hasTime = ({ time, date }: FoundFields) => has(time) || has(date);

/** A record with none of these is not a request. */
const isTelling = (found: FoundFields) =>
  hasTarget(found) || hasAddress(found) || has(found.method) || has(found.status);

/** Three of the required fields, so that a record without the fourth is rejected with its name. */
function looksLikeRequest(found: FoundFields, address: boolean): boolean {
  const [target, time] = [hasTarget(found), hasTime(found)];
  if (has(found.status)) return Number(address) + Number(target) + Number(time) >= 2;
  return address && target && time;
}

function isWritten(record: JsonRecord, found: FoundFields): boolean {
  const isHost = isHostTheClient(record, found);
  return looksLikeRequest(found, isHost || hasAddress(found)) && (isHost || !isLoglanes(record, found));
}

/**
 * Loglane's own names of the required fields. A record with another name instead of one of these is not in that form.
 */
function isLoglanes(record: JsonRecord, found: FoundFields): boolean {
  const owns = (name: string) => Object.hasOwn(record, name);
  return (
    (owns('timestamp') || !hasTime(found)) &&
    (owns('client_ip') || !hasAddress(found)) &&
    (owns('method') || !has(found.method)) &&
    (owns('path') || owns('url') || !hasTarget(found)) &&
    (owns('status') || !has(found.status))
  );
}

const writtenTimes = 'ISO 8601, the epoch in seconds to nanoseconds, or DD/Mon/YYYY:HH:MM:SS ±HHMM';
const noRequest: Skip = { skip: 'no request' };
const noRequestLine: RequestLine = { method: '', target: '', protocol: '', host: '' };

/** @param isHost whether the client's address is under `host` */
function read(found: FoundFields, isHost: boolean): RawRequest | Rejection | Skip {
  if (!isTelling(found)) return noRequest;
  const request = readRequest(found);
  if ('reject' in request) return request;
  const time = readTime(found.time.text, found.date.text) || timeOfRequestTime(found.timeTaken.text);
  const timestamp = wholeMilliseconds(parseWrittenTime(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time, writtenTimes);
  const client = readClient(found, isHost);
  if (client === '') return { reject: 'client_ip: missing (log remote_addr)' };
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: (isHost ? '' : readHost(found.host.text)) || request.host,
    target: request.target,
    protocol: readProtocol(found.protocol.text) || request.protocol,
    status: readStatus(found.status.text),
    bytes_sent: readBytes(found.bytes.text),
    time_taken_ms: readTimeTaken(found),
    user_agent: unquote(found.userAgent.text),
    referrer: unquote(found.referrer.text),
    request_id: found.requestId.text,
    content_type: readMediaType(found.contentType.text),
    cache_status: readWord(found.cache.text).toLowerCase(),
    source_country: readCountry(found.country.text),
    source_asn: readAsn(found.asn.text),
    cdn_bot_category: '',
  };
}

/**
 * Method and target, from their own fields or the request line. Both are empty if the client did not send HTTP, as in
 * lines of the same servers.
 */
function readRequest(found: FoundFields): RequestLine | Rejection {
  if (!hasTarget(found)) return { reject: 'path: missing (log request_uri, or path and query)' };
  if (!has(found.method) && !has(found.request)) return { reject: 'method: missing (log request_method)' };
  const line = readLine(found.request.text);
  const method = normaliseMethod(readWord(found.method.text)) || line.method;
  const written = found.target.text || line.target || found.path.text;
  if (written === '') return method === '' ? noRequestLine : { ...line, method };
  const { target, host } = splitHostFromTarget(written);
  const start = target.charCodeAt(0);
  if (start !== 47 /* / */ && start !== 42 /* * */ && method !== 'CONNECT' && line.target === '') {
    return { reject: `path: ${quote(written)} must start with / or be an absolute URL` };
  }
  const query = found.query.text;
  const whole = query === '' || target.includes('?') ? target : `${target}?${withoutMark(query)}`;
  return { method, target: unescapeBytes(whole), protocol: line.protocol, host: host || line.host };
}

const withoutMark = (query: string) => (query.charCodeAt(0) === 63 /* ? */ ? query.slice(1) : query);

/** `GET /path HTTP/1.1`; Logstash's patterns put only its target under the same name. */
function readLine(text: string): RequestLine {
  if (text.charCodeAt(0) === 47 /* / */) return { ...noRequestLine, target: text };
  return splitRequestLine(text);
}

/** The client, by the rule of all sources. */
function readClient(found: FoundFields, isHost: boolean): string {
  const written = found.client.text || (isHost ? found.host.text : '');
  const proxyHeader = readAddresses(found.proxyHeader.text);
  const forwarded = readAddresses(found.forwarded.text);
  const forwardedFor = proxyHeader.length === 0 ? forwarded : [...proxyHeader, ...forwarded];
  return chooseClient(readConnection(written), forwardedFor) || written;
}

/**
 * The parsers of Fluentd and Fluent Bit for Apache's lines call the client `host` and the status `code`; no other
 * tool uses `code`. Vector's parsers (`parse_apache_log`, `parse_common_log`) also call the client `host`. They put
 * the request line in `message` and its words into other fields. Elsewhere, and in a record with another address,
 * `host` is the requested host.
 */
function isHostTheClient(record: JsonRecord, found: FoundFields): boolean {
  if (hasAddress(found) || !has(found.host) || Object.keys(record).some(namesAddress)) return false;
  if (found.status.known?.name === 'code') return true;
  const { message, method, path, protocol } = record;
  return (
    typeof message === 'string' &&
    typeof method === 'string' &&
    method !== '' &&
    message === [method, path, protocol].filter((word) => word !== undefined && word !== null).join(' ')
  );
}

/** Names of the client in any tool; a record with one of them needs no other. */
function namesAddress(key: string): boolean {
  const name = key.length > LONGEST_NAME ? '' : foldName(key);
  return (
    name.includes('forwarded') || name.includes('addr') || name.includes('xff') || /ip(?:v?[46])?$/.test(name)
  );
}

/** nginx writes `_` for a server without a name. */
function readHost(text: string): string {
  const host = readWord(text);
  return host === '_' || host === '*' ? '' : normaliseHost(host);
}

/** A protocol, or only its version; a scheme is not a protocol. */
function readProtocol(text: string): string {
  if (text.length <= 3 && /^\d(\.\d)?$/.test(text)) return normaliseProtocol(`HTTP/${text}`);
  const protocol = normaliseProtocol(readWord(text));
  return protocol === 'http' || protocol === 'https' ? '' : protocol;
}

/** HAProxy writes -1 if no answer was sent. */
const readStatus = (text: string) => (text === '-1' ? 0 : readNumber(text));

function readTimeTaken(found: FoundFields): number | null {
  const { known, text } = found.timeTaken;
  if (known === null) return null;
  return readMilliseconds(text, known.perUnit) ?? parseDuration(text);
}

/** The columns of a W3C log are two: the day and its clock. */
function readTime(time: string, date: string): string {
  return time.charCodeAt(2) === 58 /* : */ && date.length === 10 ? `${date}T${time}` : time || date;
}

/** Amazon API Gateway calls the request's time `requestTime`, which is a duration elsewhere. */
function timeOfRequestTime(text: string): string {
  return text.includes(':') ? text : '';
}

/** Logstash's patterns keep the quotes of a combined line. */
function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.charCodeAt(0) === 34 && text.charCodeAt(text.length - 1) === 34;
  if (!isQuoted) return text;
  return text === '"-"' ? '' : text.slice(1, -1);
}
