import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from './util/choose-client.js';
import {
  readAsn,
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
} from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol } from './util/target.js';
import { decodeLogText, decodeLogUrl } from './util/url-encoded-log-text.js';

const midgress: Skip = { skip: 'request between servers of Akamai' };

/** Akamai DataStream 2, log format JSON; fields in docs/sources/akamai.md. */
export const akamai: JsonSource = {
  name: 'akamai',
  shape: 'json',

  detect: (record) =>
    record.reqTimeSec !== undefined ||
    record.cliIP !== undefined ||
    (record.reqHost !== undefined && record.reqPath !== undefined),

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    if (isMidgress(record.isMidgress)) return midgress;
    if (readField(record.reqPath) === '') {
      return { reject: 'reqPath: missing; add the field “Request path” to the stream' };
    }
    const timestamp = wholeMilliseconds(parseTimestamp(record.reqTimeSec));
    if (!Number.isSafeInteger(timestamp)) return notATime(record.reqTimeSec);
    return {
      timestamp,
      client_ip: readClient(record),
      method: normaliseMethod(readField(record.reqMethod)),
      host: normaliseHost(readField(record.reqHost)),
      target: readTarget(record),
      protocol: readProtocol(record.proto),
      status: readNumber(record.statusCode),
      bytes_sent: readBytes(readField(record.bytes) || readField(record.totalBytes)),
      time_taken_ms: timeTaken(record),
      user_agent: decodeLogText(readField(record.UA)),
      referrer: decodeLogUrl(readField(record.referer)),
      request_id: readField(record.reqId),
      content_type: readMediaType(decodeLogUrl(readField(record.rspContentType))),
      cache_status: cacheStatus(record.cacheStatus),
      source_country: readCountry(record.country),
      source_asn: readAsn(record.asn),
      cdn_bot_category: '',
    };
  },
};

/** Like `readText`, and '' for "^", which also means an empty field. */
function readField(value: unknown): string {
  const text = readText(value);
  return text === '^' ? '' : text;
}

/** 1: within a region, 2: at a parent server; 0 and absent: requested by a client. */
function isMidgress(value: unknown): boolean {
  return readNumber(value) > 0;
}

/** The address of the connection. X-Forwarded-For, which anyone can send, counts only if that address is local. */
function readClient(record: JsonRecord): string {
  const connected = readField(record.cliIP);
  const addresses = readConnection(connected);
  // Returned as written, so that a rejection can show the invalid text.
  if (addresses.length === 0 && connected !== '') return connected;
  return chooseClient(addresses, readAddresses(decodeLogText(readField(record.xForwardedFor))));
}

/** Some streams omit the path's first slash. If a path is fully encoded, slashes included, its query is encoded too. */
function readTarget(record: JsonRecord): string {
  const path = readField(record.reqPath);
  const query = readField(record.queryStr);
  if (/^%2F/i.test(path)) return join(decodeLogUrl(path), query === '' ? '' : decodeLogText(query));
  return join(path.startsWith('/') || path === '*' ? path : `/${path}`, query);
}

function join(path: string, query: string): string {
  return query === '' || path.includes('?') ? path : `${path}?${query}`;
}

/** `proto` is the scheme in some streams and the version in others. */
function readProtocol(value: unknown): string {
  const protocol = normaliseProtocol(readField(value));
  return protocol.startsWith('HTTP/') ? protocol : '';
}

/**
 * From the end of the request to the last byte: the wait for the first byte (`turnAroundTimeMSec`) and the sending of the
 * response (`transferTimeMSec`). Null without the first of the two.
 */
function timeTaken(record: JsonRecord): number | null {
  const wait = readMilliseconds(record.turnAroundTimeMSec);
  if (wait === null) return readMilliseconds(record.timeToFirstByte);
  return wait + (readMilliseconds(record.transferTimeMSec) ?? 0);
}

function cacheStatus(value: unknown): string {
  const status = readField(value);
  if (status === '') return '';
  return status === '0' ? 'miss' : 'hit';
}
