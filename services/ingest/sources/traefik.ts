import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses } from './util/choose-client.js';
import { readBytes, readMediaType, readMilliseconds, readNumber, readText } from './util/coerce.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './util/target.js';

/** Traefik's access log in JSON: docs/sources/traefik.md. */
export const traefik: JsonSource = {
  name: 'traefik',
  shape: 'json',

  detect: (record) =>
    record.DownstreamStatus !== undefined ||
    (record.RequestPath !== undefined &&
      (record.ClientHost !== undefined || record.ClientAddr !== undefined)),

  open: () => parser,
};

const notAccess: Skip = { skip: 'no line of the access log' };
const internal: Skip = { skip: 'request to Traefik itself' };

/** Routers of requests to Traefik itself. Its redirect to HTTPS is internal too, but answers visitors. */
const ownRouters = new Set([
  'ping@internal',
  'prometheus@internal',
  'api@internal',
  'dashboard@internal',
  'rest@internal',
]);

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    const written = readText(record.RequestPath);
    if (written === '') {
      if (!traefik.detect(record)) return notAccess;
      return { reject: 'path: missing (RequestPath); keep it in accesslog.fields' };
    }
    if (ownRouters.has(readText(record.RouterName))) return internal;
    const time = record.StartUTC ?? record.StartLocal ?? record.time;
    const timestamp = wholeMilliseconds(parseTimestamp(time));
    if (!Number.isSafeInteger(timestamp)) return notATime(time);
    const { target, host } = splitHostFromTarget(written);
    return {
      timestamp,
      client_ip: readClient(record),
      method: normaliseMethod(readText(record.RequestMethod)),
      host: normaliseHost(readText(record.RequestHost) || readText(record.RequestAddr)) || host,
      target,
      protocol: normaliseProtocol(readText(record.RequestProtocol)),
      status: readNumber(record.DownstreamStatus),
      bytes_sent: readBytes(record.DownstreamContentSize),
      // Nanoseconds.
      time_taken_ms: readMilliseconds(record.Duration, 1e-6),
      user_agent: readText(record['request_User-Agent']),
      referrer: readText(record.request_Referer),
      request_id: readText(record['request_X-Request-Id']),
      content_type: readMediaType(record['downstream_Content-Type'] ?? record['origin_Content-Type']),
      cache_status: '',
      source_country: '',
      source_asn: null,
      cdn_bot_category: '',
    };
  },
};

/**
 * If a request has X-Forwarded-For, Traefik writes it as `ClientHost`. It drops the header of senders that its entry
 * point does not trust, so the list is as reliable as the site's settings.
 */
function readClient(record: JsonRecord): string {
  const address = readText(record.ClientAddr);
  const forwardedFor = readText(record.ClientHost);
  const chain = [...readAddresses(address), ...readAddresses(forwardedFor)];
  return chooseClient([], chain) || forwardedFor || address;
}
