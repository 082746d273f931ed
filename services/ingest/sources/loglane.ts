import type { RawRequest } from '../../../shared/requests/raw-request.js';
import {
  readAsn,
  readBytes,
  readCountry,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
  readWord,
} from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection } from './util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './util/target.js';
import { unescapeBytes } from './util/unescape-log-text.js';

/** Loglane's own JSON records, for senders that choose the field names: docs/log-format.md "Loglane JSON". */
export const loglane: JsonSource = {
  name: 'loglane',
  shape: 'json',
  detect: (record) =>
    record.client_ip !== undefined ||
    (record.timestamp !== undefined && (record.path !== undefined || record.url !== undefined)),

  isWhole: (record) =>
    record.client_ip !== undefined &&
    record.timestamp !== undefined &&
    record.method !== undefined &&
    (record.path !== undefined || record.url !== undefined),

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection {
    const method = normaliseMethod(readText(record.method));
    if (method === '') return { reject: 'method: missing or not an HTTP method' };
    const written = readText(record.path) || readText(record.url);
    if (written === '') return { reject: 'path: missing (give path or url)' };
    const { target, host } = splitHostFromTarget(written);
    if (target.charCodeAt(0) !== 47 /* / */ && target !== '*') {
      return { reject: 'path: must start with / or be an absolute URL' };
    }
    const timestamp = wholeMilliseconds(parseTimestamp(record.timestamp));
    if (!Number.isSafeInteger(timestamp)) return notATime(record.timestamp);
    return {
      timestamp,
      client_ip: readText(record.client_ip),
      method,
      host: normaliseHost(readText(record.host)) || host,
      target: unescapeBytes(withQuery(target, record)),
      protocol: normaliseProtocol(readText(record.protocol)),
      status: readNumber(record.status),
      bytes_sent: readBytes(record.bytes_sent),
      time_taken_ms: readMilliseconds(record.time_taken_ms),
      user_agent: readText(record.user_agent),
      referrer: readText(record.referrer),
      request_id: readText(record.request_id),
      content_type: readMediaType(record.content_type),
      cache_status: readWord(record.cache_status).toLowerCase(),
      source_country: readCountry(record.country),
      source_asn: readAsn(record.asn),
      cdn_bot_category: '',
    };
  },
};

/** `query` counts only if the path has none. */
function withQuery(target: string, record: JsonRecord): string {
  const query = readText(record.query);
  if (query === '' || target.includes('?')) return target;
  return query.startsWith('?') ? target + query : `${target}?${query}`;
}
