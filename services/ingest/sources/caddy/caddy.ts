import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from '../util/choose-client.js';
import {
  readBytes,
  readHeader,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
} from '../util/coerce.js';
import { notATime } from '../util/not-a-time.js';
import { parseDuration } from '../util/parse-duration.js';
import { parseWrittenTime, wholeMilliseconds } from '../util/parse-timestamp.js';
import { isRecord, readRecord } from '../util/read-record.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';

/** Access logs of Caddy 2 in JSON, its default: docs/sources/caddy.md. */
export const caddy: JsonSource = {
  name: 'caddy',
  shape: 'json',

  detect: ({ request }) =>
    isRecord(request) &&
    request.uri !== undefined &&
    (request.remote_ip !== undefined || request.remote_addr !== undefined || request.client_ip !== undefined),

  open: () => parser,
};

const notAccess: Skip = { skip: 'no line of the access log' };

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    const request = record.request;
    if (!isRecord(request) || !isOfAccessLog(record)) return notAccess;
    const written = readText(request.uri);
    if (written === '') return { reject: 'path: missing (request.uri)' };
    const { target, host } = splitHostFromTarget(written);
    const time = record.ts ?? record.time ?? record.timestamp;
    const timestamp = wholeMilliseconds(parseWrittenTime(time));
    if (!Number.isSafeInteger(timestamp)) return notATime(time);
    const headers = readRecord(request.headers);
    const answered = readRecord(record.resp_headers);
    return {
      timestamp,
      client_ip: readClient(request, headers),
      method: normaliseMethod(readText(request.method)),
      host: normaliseHost(readText(request.host)) || host,
      target,
      protocol: normaliseProtocol(readText(request.proto)),
      status: readNumber(record.status),
      bytes_sent: readBytes(record.size),
      time_taken_ms: readDuration(record.duration),
      user_agent: readHeader(headers['User-Agent']),
      referrer: readHeader(headers.Referer),
      request_id: readHeader(headers['X-Request-Id']) || readHeader(answered['X-Request-Id']),
      content_type: readMediaType(readHeader(answered['Content-Type'])),
      cache_status: '',
      source_country: '',
      source_asn: null,
      cdn_bot_category: '',
    };
  },
};

/**
 * Log lines of errors and upstream round trips contain their request too, in addition to its line in the access log.
 */
function isOfAccessLog({ logger }: JsonRecord): boolean {
  return typeof logger !== 'string' || logger === '' || logger.startsWith('http.log.access');
}

/**
 * `client_ip` is the address after Caddy's trusted proxies (2.7 and newer); `remote_addr` was the connection until
 * 2.4.
 */
function readClient(request: JsonRecord, headers: JsonRecord): string {
  const written = readText(request.client_ip) || readText(request.remote_ip) || readText(request.remote_addr);
  const forwardedFor = readAddresses(readHeader(headers['X-Forwarded-For']));
  return chooseClient(readConnection(written), forwardedFor) || written;
}

/**
 * Seconds with their fraction by default. A whole number this large is in nanoseconds, because no request takes
 * exactly 1,000 seconds.
 */
const LEAST_NANOSECONDS = 1_000;

function readDuration(value: unknown): number | null {
  if (typeof value !== 'number') return parseDuration(readText(value));
  const inNanoseconds = Number.isInteger(value) && value >= LEAST_NANOSECONDS;
  return readMilliseconds(value, inNanoseconds ? 1e-6 : 1_000);
}
