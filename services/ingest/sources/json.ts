import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from './choose-client.js';
import {
  readAsn,
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readWord,
} from './coerce.js';
import { createFieldCollector, type FoundFields } from './collect-fields.js';
import { quote } from './cut-text.js';
import type { Field } from './json-names.js';
import { notATime } from './not-a-time.js';
import { parseDuration } from './parse-duration.js';
import { parseWrittenTime, wholeMilliseconds } from './parse-timestamp.js';
import { type RequestLine, splitRequestLine } from './request-line.js';
import type { JsonRecord, JsonSource, Rejection, Skip, UploadParser } from './source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './target.js';

/** JSON records with names that people and their tools have chosen: json-names.ts, docs/sources/json.md. */
export const json: JsonSource = {
  name: 'json',
  shape: 'json',
  hasCommonNames: true,

  detect: (record) => isWritten(record, createFieldCollector()(record)),

  open(): UploadParser<JsonRecord> {
    const collect = createFieldCollector();
    /** A record is looked at before it is read. */
    let last: { readonly record: JsonRecord; readonly found: FoundFields } | undefined;
    const find = (record: JsonRecord): FoundFields => {
      if (last?.record !== record) last = { record, found: collect(record) };
      return last.found;
    };
    return {
      recognises: (record) => isWritten(record, find(record)),
      parse(record) {
        const found = find(record);
        last = undefined;
        return read(found);
      },
    };
  },
};

const hasAny = (found: FoundFields, fields: readonly Field[]) => fields.some((field) => found.has(field));
const targets: readonly Field[] = ['target', 'request', 'path'];
const methods: readonly Field[] = ['method', 'request'];
const addresses: readonly Field[] = ['client', 'forwarded', 'told'];

/** A record with none of these tells of no request. */
const telling: readonly Field[] = [...targets, ...addresses, 'method', 'status'];

/** Three of what each request needs, so that a record without the fourth is told what it lacks. */
function looksLikeRequest(found: FoundFields): boolean {
  const needed: readonly (readonly Field[])[] = [addresses, targets, ['status'], ['time', 'date']];
  return needed.filter((fields) => hasAny(found, fields)).length >= 3;
}

function isWritten(record: JsonRecord, found: FoundFields): boolean {
  return looksLikeRequest(found) && !isLoglanes(record, found);
}

/** Loglane's own names for what a request needs. A record that has another name in the place of one of these is not in that form. */
const loglanes: readonly (readonly [own: readonly string[], fields: readonly Field[]])[] = [
  [['timestamp'], ['time', 'date']],
  [['client_ip'], addresses],
  [['method'], ['method']],
  [['path', 'url'], targets],
  [['status'], ['status']],
];

function isLoglanes(record: JsonRecord, found: FoundFields): boolean {
  return loglanes.every(
    ([own, fields]) => own.some((name) => Object.hasOwn(record, name)) || !hasAny(found, fields),
  );
}

const writtenTimes = 'ISO 8601, the epoch in seconds to nanoseconds, or DD/Mon/YYYY:HH:MM:SS ±HHMM';
const noRequest: Skip = { skip: 'no request' };
const noRequestLine: RequestLine = { method: '', target: '', protocol: '', host: '' };

function read(found: FoundFields): RawRequest | Rejection | Skip {
  const text = (field: Field) => found.get(field)?.text ?? '';
  if (!hasAny(found, telling)) return noRequest;
  const request = readRequest(found);
  if ('reject' in request) return request;
  const time = readTime(text('time'), text('date')) || timeOfRequestTime(text('timeTaken'));
  const timestamp = wholeMilliseconds(parseWrittenTime(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time, writtenTimes);
  const client = readClient(found);
  if (client === '') return { reject: 'client_ip: missing (log remote_addr)' };
  return {
    timestamp,
    client_ip: client,
    method: request.method,
    host: (isHostTheClient(found) ? '' : readHost(text('host'))) || request.host,
    target: request.target,
    protocol: readProtocol(text('protocol')) || request.protocol,
    status: readStatus(text('status')),
    bytes_sent: readBytes(text('bytes')),
    time_taken_ms: readTimeTaken(found),
    user_agent: unquote(text('userAgent')),
    referrer: unquote(text('referrer')),
    request_id: text('requestId'),
    content_type: readMediaType(text('contentType')),
    cache_status: readWord(text('cache')).toLowerCase(),
    source_country: readCountry(text('country')),
    source_asn: readAsn(text('asn')),
    cdn_bot_category: '',
  };
}

/** Method and target, from their own fields or the request line. Both empty: what was sent was no HTTP, as in lines of the same servers. */
function readRequest(found: FoundFields): RequestLine | Rejection {
  const text = (field: Field) => found.get(field)?.text ?? '';
  if (!hasAny(found, targets)) return { reject: 'path: missing (log request_uri, or path and query)' };
  if (!hasAny(found, methods)) return { reject: 'method: missing (log request_method)' };
  const line = readLine(text('request'));
  const method = normaliseMethod(readWord(text('method'))) || line.method;
  const written = text('target') || line.target || text('path');
  if (written === '') return method === '' ? noRequestLine : { ...line, method };
  const { target, host } = splitHostFromTarget(written);
  const start = target.charCodeAt(0);
  if (start !== 47 /* / */ && start !== 42 /* * */ && method !== 'CONNECT' && line.target === '') {
    return { reject: `path: ${quote(written)} must start with / or be an absolute URL` };
  }
  const query = text('query');
  const whole = query === '' || target.includes('?') ? target : `${target}?${withoutMark(query)}`;
  return { method, target: whole, protocol: line.protocol, host: host || line.host };
}

const withoutMark = (query: string) => (query.charCodeAt(0) === 63 /* ? */ ? query.slice(1) : query);

/** `GET /path HTTP/1.1`; Logstash's patterns keep its target alone under the same name. */
function readLine(text: string): RequestLine {
  if (text.charCodeAt(0) === 47 /* / */) return { ...noRequestLine, target: text };
  return splitRequestLine(text);
}

/** Who asked, by the rule of all sources. */
function readClient(found: FoundFields): string {
  const text = (field: Field) => found.get(field)?.text ?? '';
  const written = text('client') || (isHostTheClient(found) ? text('host') : '');
  const forwardedFor = [...readAddresses(text('told')), ...readAddresses(text('forwarded'))];
  return chooseClient(readConnection(written), forwardedFor) || written;
}

/** The parsers of Fluentd and Fluent Bit for Apache's lines call the client `host`; the status they call `code`, as nobody else does. */
function isHostTheClient(found: FoundFields): boolean {
  return !found.has('client') && found.get('status')?.known.name === 'code';
}

/** nginx writes `_` where a server has no name. */
function readHost(text: string): string {
  const host = readWord(text);
  return host === '_' || host === '*' ? '' : normaliseHost(host);
}

/** A protocol, or its version alone; a scheme is none. */
function readProtocol(text: string): string {
  if (/^\d(\.\d)?$/.test(text)) return normaliseProtocol(`HTTP/${text}`);
  const protocol = normaliseProtocol(readWord(text));
  return protocol === 'http' || protocol === 'https' ? '' : protocol;
}

/** HAProxy writes -1 where nothing was answered. */
const readStatus = (text: string) => (text === '-1' ? 0 : readNumber(text));

function readTimeTaken(found: FoundFields): number | null {
  const field = found.get('timeTaken');
  if (field === undefined) return null;
  return readMilliseconds(field.text, field.known.perUnit) ?? parseDuration(field.text);
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
