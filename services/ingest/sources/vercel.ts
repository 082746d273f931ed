import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { readBytes, readNumber, readText, readWord } from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import { readRecord } from './util/read-record.js';
import type { JsonRecord, JsonSource, Rejection, Skip, UploadParser } from './util/source.js';
import { normaliseHost, normaliseMethod, splitHostFromTarget } from './util/target.js';

const noRequest: Skip = { skip: 'log line of a build or function' };
const revalidation: Skip = { skip: 'revalidation in the background' };
const sameRequest: Skip = { skip: 'another log line of the same request' };

/** Log drains of Vercel; fields in docs/sources/vercel.md. */
export const vercel: JsonSource = {
  name: 'vercel',
  shape: 'json',

  detect: (record) =>
    record.deploymentId !== undefined && (record.proxy !== undefined || record.projectId !== undefined),

  open: createParser,
};

/** Most requests that are remembered; the lines of one request are close together. */
const MOST_REMEMBERED = 10_000;

/**
 * A request is logged once for each line that its function writes, with the same `proxy` each time. Only the first
 * counts.
 */
function createParser(): UploadParser<JsonRecord> {
  const seen = new Set<string>();

  function isFirst(key: string): boolean {
    if (seen.has(key)) return false;
    if (seen.size >= MOST_REMEMBERED) seen.clear();
    seen.add(key);
    return true;
  }

  return {
    parse(record) {
      const parsed = parse(record);
      if (!('client_ip' in parsed) || parsed.request_id === '') return parsed;
      return isFirst(`${parsed.timestamp} ${parsed.request_id}`) ? parsed : sameRequest;
    },
  };
}

function parse(record: JsonRecord): RawRequest | Rejection | Skip {
  if (typeof record.proxy !== 'object' || record.proxy === null) return noRequest;
  const proxy = readRecord(record.proxy);
  const status = readNumber(proxy.statusCode);
  if (status === -1) return revalidation;
  const written = readText(proxy.path);
  if (written === '') return { reject: 'proxy.path: missing' };
  const { target, host } = splitHostFromTarget(written);
  const time = proxy.timestamp ?? record.timestamp;
  const timestamp = wholeMilliseconds(parseTimestamp(time));
  if (!Number.isSafeInteger(timestamp)) return notATime(time);
  if (readText(proxy.clientIp) === '') {
    return { reject: 'client_ip: missing; let the Vercel team’s settings show IP addresses' };
  }
  return {
    timestamp,
    client_ip: readText(proxy.clientIp),
    method: normaliseMethod(readText(proxy.method)),
    host: normaliseHost(readText(proxy.host)) || host || normaliseHost(readText(record.host)),
    target,
    protocol: '',
    status: readStatus(proxy.statusCode ?? record.statusCode),
    bytes_sent: readBytes(proxy.responseByteSize),
    time_taken_ms: null,
    user_agent: readAgent(proxy.userAgent),
    referrer: readText(proxy.referer),
    request_id: readText(record.requestId) || readText(proxy.vercelId),
    content_type: '',
    cache_status: readWord(proxy.vercelCache).toLowerCase(),
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
  };
}

/** -1: the function crashed, and the visitor got no answer from it. */
function readStatus(value: unknown): number {
  const status = readNumber(value);
  return status === -1 ? 0 : status;
}

/** The header's values in a list, most often one. */
function readAgent(value: unknown): string {
  return readText(Array.isArray(value) ? value[0] : value);
}
