import type { RawRequest } from '../../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from '../util/choose-client.js';
import {
  readBytes,
  readMediaType,
  readMilliseconds,
  readNumber,
  readText,
  readWord,
} from '../util/coerce.js';
import { notATime } from '../util/not-a-time.js';
import { parseDuration } from '../util/parse-duration.js';
import { parseWrittenTime, wholeMilliseconds } from '../util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from '../util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from '../util/target.js';

/** Envoy's access log in JSON with the names of Istio, Envoy Gateway and Contour: docs/sources/envoy.md. */
export const envoy: JsonSource = {
  name: 'envoy',
  shape: 'json',

  detect: (record) =>
    (record.response_code !== undefined || record.RESPONSE_CODE !== undefined) && hasOwnName(record),

  open: () => parser,
};

/** Whether the record has a name that no other log has together with `response_code`. */
function hasOwnName(record: JsonRecord): boolean {
  return (
    says(record.response_flags) ||
    says(record.RESPONSE_FLAGS) ||
    says(record.downstream_remote_address) ||
    says(record.downstream_direct_remote_address) ||
    says(record.DOWNSTREAM_REMOTE_ADDRESS) ||
    says(record.upstream_cluster) ||
    says(record.UPSTREAM_CLUSTER) ||
    says(record[':authority']) ||
    says(record.requested_server_name)
  );
}

const noRequest: Skip = { skip: 'TCP connection, no HTTP request' };

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    const method = normaliseMethod(readWord(first(record.method, record[':method'], record.METHOD)));
    // A path before it was rewritten comes first.
    const written = readText(
      first(
        record['x-envoy-original-path'],
        record.x_envoy_original_path,
        record['x-envoy-origin-path'],
        record.original_path,
        record.path,
        record[':path'],
      ),
    );
    const protocol = readWord(first(record.protocol, record.PROTOCOL));
    const code = first(record.response_code, record.RESPONSE_CODE);
    if (method === '' && written === '' && readNumber(code) === 0) return noRequest;
    if (written === '' && method !== '' && method !== 'CONNECT') {
      return { reject: 'path: missing (path or x-envoy-original-path)' };
    }
    const time = first(
      record.start_time,
      record['@timestamp'],
      record.timestamp,
      record.START_TIME,
      record.startTime,
      record.time,
    );
    const timestamp = wholeMilliseconds(parseWrittenTime(time));
    if (!Number.isSafeInteger(timestamp)) return notATime(time);
    const { target, host } = splitHostFromTarget(written);
    return {
      timestamp,
      client_ip: readClient(record),
      method,
      host:
        normaliseHost(
          readText(
            first(
              record.authority,
              record[':authority'],
              record.host,
              record.requested_server_name,
              record.REQUESTED_SERVER_NAME,
            ),
          ),
        ) || host,
      target,
      protocol: normaliseProtocol(protocol),
      status: readNumber(code),
      bytes_sent: readBytes(first(record.bytes_sent, record.BYTES_SENT)),
      time_taken_ms: readDuration(first(record.duration, record.DURATION)),
      user_agent: readText(first(record.user_agent, record['user-agent'])),
      referrer: readText(first(record.referer, record.referrer, record.http_referer)),
      request_id: readText(first(record.request_id, record.x_request_id, record['x-request-id'])),
      content_type: readMediaType(
        first(record.response_content_type, record.content_type, record['content-type']),
      ),
      cache_status: '',
      source_country: '',
      source_asn: null,
      cdn_bot_category: '',
    };
  },
};

/** Whether a value is present and not a mark for "nothing". */
function says(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== '-';
}

/** The first value that is present. */
function first(a: unknown, b: unknown, c?: unknown, d?: unknown, e?: unknown, f?: unknown): unknown {
  if (says(a)) return a;
  if (says(b)) return b;
  if (says(c)) return c;
  if (says(d)) return d;
  if (says(e)) return e;
  return says(f) ? f : undefined;
}

/** Envoy's address of the connection, which depends on its trusted hops, then X-Forwarded-For by the common rule. */
function readClient(record: JsonRecord): string {
  const written = readText(
    first(
      record.downstream_remote_address,
      record.DOWNSTREAM_REMOTE_ADDRESS,
      record.downstream_remote_address_without_port,
      record.downstream_direct_remote_address,
      record.remote_addr,
    ),
  );
  const forwardedFor = readAddresses(
    readText(first(record.x_forwarded_for, record['x-forwarded-for'], record.forwarded_for)),
  );
  return chooseClient(readConnection(written), forwardedFor) || written;
}

/** Milliseconds. */
function readDuration(value: unknown): number | null {
  return readMilliseconds(value) ?? parseDuration(readText(value));
}
