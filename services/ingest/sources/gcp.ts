import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { readAsn, readBytes, readCountry, readMilliseconds, readNumber, readText } from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import { readRecord } from './util/read-record.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseMethod, normaliseProtocol, splitHostFromTarget } from './util/target.js';

const noRequest: Skip = { skip: 'not an entry of a request log' };
const cacheFill: Skip = { skip: 'cache fill of Media CDN' };

/**
 * LogEntry of Google Cloud Logging with an `httpRequest`: external Application Load Balancer, Cloud CDN, Media CDN. Fields in
 * docs/sources/gcp.md.
 */
export const gcp: JsonSource = {
  name: 'gcp',
  shape: 'json',

  detect: (record) =>
    (typeof record.httpRequest === 'object' && record.httpRequest !== null) ||
    (record.logName !== undefined && record.insertId !== undefined),

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    if (record.httpRequest === null || typeof record.httpRequest !== 'object' || !isRequestLog(record))
      return noRequest;
    const http = readRecord(record.httpRequest);
    const payload = readRecord(record.jsonPayload);
    if (isCacheFill(record, payload)) return cacheFill;
    const written = readText(http.requestUrl);
    if (written === '') return { reject: 'httpRequest.requestUrl: missing' };
    const { target, host } = splitHostFromTarget(written);
    const timestamp = wholeMilliseconds(parseTimestamp(record.timestamp));
    if (!Number.isSafeInteger(timestamp)) return notATime(record.timestamp);
    return {
      timestamp,
      client_ip: readText(http.remoteIp) || readText(payload.remoteIp),
      method: normaliseMethod(readText(http.requestMethod)),
      host,
      target,
      protocol: normaliseProtocol(readText(http.protocol)),
      status: readStatus(http, payload),
      bytes_sent: readBytes(http.responseSize),
      time_taken_ms: readSeconds(http.latency),
      user_agent: readText(http.userAgent),
      referrer: readText(http.referer),
      request_id: readText(record.insertId),
      content_type: '',
      cache_status: cacheStatus(http, payload),
      source_country: readCountry(payload.clientRegionCode),
      source_asn: readAsn(payload.clientAsn),
      cdn_bot_category: '',
    };
  },
};

/**
 * Applications also write entries with an `httpRequest`, in addition to the request's entry. Their logs have other
 * names.
 */
function isRequestLog(record: JsonRecord): boolean {
  const name = readText(record.logName);
  return name === '' || name.endsWith('requests') || name.endsWith('request_log');
}

/** Media CDN logs its requests to the origin in addition to those of clients. */
function isCacheFill(record: JsonRecord, payload: JsonRecord): boolean {
  const type = readText(readRecord(record.resource).type);
  if (type.includes('EdgeCacheOrigin')) return true;
  const isMediaCdn = type.includes('edgecache') || readText(record.logName).includes('edgecache');
  return isMediaCdn && (payload.backendLatency !== undefined || payload.backendInitialLatency !== undefined);
}

/** If the client disconnected before an answer, the status is 0, and Google's JSON omits zeros. */
function readStatus(http: JsonRecord, payload: JsonRecord): number {
  if (http.status !== undefined && http.status !== null) return readNumber(http.status);
  return readText(payload.statusDetails) === '' ? Number.NaN : 0;
}

/** A duration such as "0.005192s". */
function readSeconds(value: unknown): number | null {
  const text = readText(value);
  return text.endsWith('s') ? readMilliseconds(text.slice(0, -1), 1_000) : null;
}

/** Media CDN's statuses, the last of which is from the cache nearest to the client; else the flags of Cloud CDN. */
function cacheStatus(http: JsonRecord, payload: JsonRecord): string {
  const said = readText(payload.cacheStatus);
  if (said !== '')
    return said
      .slice(said.lastIndexOf(',') + 1)
      .trim()
      .toLowerCase();
  if (http.cacheHit === true) return http.cacheValidatedWithOriginServer === true ? 'revalidated' : 'hit';
  return http.cacheLookup === true ? 'miss' : '';
}
