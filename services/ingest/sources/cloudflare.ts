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
import { isFinerThanSeconds, parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './util/target.js';

const subrequest: Skip = { skip: 'subrequest of a Worker' };

/** Cloudflare Logpush, dataset `http_requests`, output type ndjson; fields in docs/sources/cloudflare.md. */
export const cloudflare: JsonSource = {
  name: 'cloudflare',
  shape: 'json',

  detect: (record) =>
    record.EdgeStartTimestamp !== undefined ||
    record.RayID !== undefined ||
    record.ClientRequestHost !== undefined ||
    record.ClientIP !== undefined,

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    if (isSubrequest(record)) return subrequest;
    const written = readText(record.ClientRequestURI) || readText(record.ClientRequestPath);
    if (written === '') return { reject: 'ClientRequestURI: missing; add it to the job’s fields' };
    const { target, host } = splitHostFromTarget(written);
    const timestamp = wholeMilliseconds(parseTimestamp(record.EdgeStartTimestamp));
    if (!Number.isSafeInteger(timestamp)) return notATime(record.EdgeStartTimestamp);
    return {
      timestamp,
      client_ip: readText(record.ClientIP),
      method: normaliseMethod(readWord(record.ClientRequestMethod)),
      host: normaliseHost(readText(record.ClientRequestHost)) || host,
      target,
      protocol: normaliseProtocol(readWord(record.ClientRequestProtocol)),
      status: readNumber(record.EdgeResponseStatus),
      bytes_sent: readBytes(record.EdgeResponseBytes ?? record.EdgeResponseBodyBytes),
      time_taken_ms: timeTaken(record),
      user_agent: readText(record.ClientRequestUserAgent),
      referrer: readText(record.ClientRequestReferer),
      request_id: readText(record.RayID),
      content_type: readMediaType(record.EdgeResponseContentType),
      cache_status: readWord(record.CacheCacheStatus).toLowerCase(),
      source_country: readCountry(record.ClientCountry),
      source_asn: readAsn(record.ClientASN),
      cdn_bot_category: verifiedCategory(record),
    };
  },
};

/** Cloudflare computes it from the address or a signature; no header of the client affects it. */
function verifiedCategory(record: JsonRecord): string {
  return readWord(record.VerifiedBotCategory).trim();
}

/** A Worker's fetch for a visitor is logged in addition to the visitor's request, so it would count twice. */
function isSubrequest(record: JsonRecord): boolean {
  const worker = record.WorkerSubrequest;
  if (worker === true || worker === 'true') return true;
  const origin = record.ClientRequestSource;
  if (typeof origin === 'string' && origin.startsWith('edgeWorker')) return true;
  const parent = record.ParentRayID;
  return typeof parent === 'string' && parent !== '' && parent !== '00' && parent !== '-';
}

/** The difference of the two edge times if they are finer than seconds, else the time to the first byte. */
function timeTaken(record: JsonRecord): number | null {
  const start = record.EdgeStartTimestamp;
  const end = record.EdgeEndTimestamp;
  if (isFinerThanSeconds(start) && isFinerThanSeconds(end)) {
    return readMilliseconds(parseTimestamp(end) - parseTimestamp(start));
  }
  return readMilliseconds(record.EdgeTimeToFirstByteMs);
}
