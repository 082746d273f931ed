import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { chooseClient, readAddresses, readConnection } from './choose-client.js';
import { readBytes, readMediaType, readMilliseconds, readNumber, readText, readWord } from './coerce.js';
import { notATime } from './not-a-time.js';
import { parseDuration } from './parse-duration.js';
import { parseWrittenTime, wholeMilliseconds } from './parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './target.js';

/** Envoy's access log in JSON with the names of Istio, Envoy Gateway and Contour: docs/sources/envoy.md. */
export const envoy: JsonSource = {
  name: 'envoy',
  shape: 'json',

  detect: (record) =>
    (record.response_code !== undefined || record.RESPONSE_CODE !== undefined) &&
    own.some((name) => read(record, [name]) !== undefined),

  open: () => parser,
};

/** Names that no other log has beside `response_code`. */
const own = [
  'response_flags',
  'RESPONSE_FLAGS',
  'downstream_remote_address',
  'downstream_direct_remote_address',
  'DOWNSTREAM_REMOTE_ADDRESS',
  'upstream_cluster',
  'UPSTREAM_CLUSTER',
  ':authority',
  'requested_server_name',
];

const times = ['start_time', '@timestamp', 'timestamp', 'START_TIME', 'startTime', 'time'];
const addresses = [
  'downstream_remote_address',
  'DOWNSTREAM_REMOTE_ADDRESS',
  'downstream_remote_address_without_port',
  'downstream_direct_remote_address',
  'remote_addr',
];
const forwarded = ['x_forwarded_for', 'x-forwarded-for', 'forwarded_for'];
/** The path before it was rewritten comes first. */
const paths = [
  'x-envoy-original-path',
  'x_envoy_original_path',
  'x-envoy-origin-path',
  'original_path',
  'path',
  ':path',
];
const hosts = ['authority', ':authority', 'host', 'requested_server_name', 'REQUESTED_SERVER_NAME'];
const agents = ['user_agent', 'user-agent'];
const referrers = ['referer', 'referrer', 'http_referer'];
const ids = ['request_id', 'x_request_id', 'x-request-id'];
const contentTypes = ['response_content_type', 'content_type', 'content-type'];

const noRequest: Skip = { skip: 'TCP connection, no HTTP request' };

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    const method = normaliseMethod(readWord(read(record, ['method', ':method', 'METHOD'])));
    const written = readText(read(record, paths));
    const protocol = readWord(read(record, ['protocol', 'PROTOCOL']));
    const code = read(record, ['response_code', 'RESPONSE_CODE']);
    if (method === '' && written === '' && readNumber(code) === 0) return noRequest;
    if (written === '' && method !== '' && method !== 'CONNECT') {
      return { reject: 'path: missing (path or x-envoy-original-path)' };
    }
    const time = read(record, times);
    const timestamp = wholeMilliseconds(parseWrittenTime(time));
    if (!Number.isSafeInteger(timestamp)) return notATime(time);
    const { target, host } = splitHostFromTarget(written);
    return {
      timestamp,
      client_ip: readClient(record),
      method,
      host: normaliseHost(readText(read(record, hosts))) || host,
      target,
      protocol: normaliseProtocol(protocol),
      status: readNumber(code),
      bytes_sent: readBytes(read(record, ['bytes_sent', 'BYTES_SENT'])),
      time_taken_ms: readDuration(read(record, ['duration', 'DURATION'])),
      user_agent: readText(read(record, agents)),
      referrer: readText(read(record, referrers)),
      request_id: readText(read(record, ids)),
      content_type: readMediaType(read(record, contentTypes)),
      cache_status: '',
      source_country: '',
      source_asn: null,
      cdn_bot_category: '',
    };
  },
};

/** The value of the first name that has one. */
function read(record: JsonRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (value !== undefined && value !== null && value !== '' && value !== '-') return value;
  }
  return undefined;
}

/** Envoy's own view of the connection, which its trusted hops have shaped, then X-Forwarded-For by the common rule. */
function readClient(record: JsonRecord): string {
  const written = readText(read(record, addresses));
  const forwardedFor = readAddresses(readText(read(record, forwarded)));
  return chooseClient(readConnection(written), forwardedFor) || written;
}

/** Milliseconds. */
function readDuration(value: unknown): number | null {
  return readMilliseconds(value) ?? parseDuration(readText(value));
}
