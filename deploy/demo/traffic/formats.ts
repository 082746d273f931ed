import type { DemoRequest } from './demo-request.js';

/** Log formats of a request: each function returns one line without its line break. */
export const demoFormats = ['loglane', 'logpush', 'combined'] as const;
export type DemoFormat = (typeof demoFormats)[number];

export const formatters: Readonly<Record<DemoFormat, (request: DemoRequest) => string>> = {
  loglane: asLoglane,
  logpush: asLogpush,
  combined: asCombined,
};

const text = (value: string) => JSON.stringify(value);

/** Loglane's JSON fields. Concatenation is 1.5 times as fast as stringifying an object of 15 fields. */
export function asLoglane(request: DemoRequest): string {
  const time = new Date(request.timestamp).toISOString();
  return `{"timestamp":"${time}","client_ip":"${request.client_ip}","method":"${request.method}","host":${text(request.host)},"path":${text(request.target)},"protocol":"${request.protocol}","status":${request.status},"bytes_sent":${request.bytes_sent},"time_taken_ms":${request.time_taken_ms},"user_agent":${text(request.user_agent)},"referrer":${text(request.referrer)},"request_id":"${request.request_id}","content_type":"${request.content_type}","cache_status":"${request.cache_status}","country":"${request.source_country}"}`;
}

/**
 * Cloudflare Logpush, dataset http_requests, times as `unixnano`, the API's default. The JSON is concatenated, since
 * JavaScript numbers can't represent nanoseconds since 1970 exactly.
 */
export function asLogpush(request: DemoRequest): string {
  const end = request.timestamp + request.time_taken_ms;
  return `{"ClientIP":"${request.client_ip}","ClientCountry":"${request.source_country.toLowerCase()}","ClientRequestHost":${text(request.host)},"ClientRequestMethod":"${request.method}","ClientRequestURI":${text(request.target)},"ClientRequestUserAgent":${text(request.user_agent)},"ClientRequestReferer":${text(request.referrer)},"ClientRequestProtocol":"${request.protocol}","ClientRequestScheme":"https","EdgeStartTimestamp":${request.timestamp}000000,"EdgeEndTimestamp":${end}000000,"EdgeResponseStatus":${request.status},"EdgeResponseBytes":${request.bytes_sent},"EdgeResponseContentType":"${request.content_type}","EdgeTimeToFirstByteMs":${Math.floor(request.time_taken_ms * 0.9)},"CacheCacheStatus":"${request.cache_status}","RayID":"${request.request_id}","WorkerSubrequest":false}`;
}

/**
 * nginx: combined, followed by `$request_time` (seconds) and `host=$host`. Times have whole seconds. There is no
 * request id, country, cache status or content type.
 */
export function asCombined(request: DemoRequest): string {
  const protocol = request.protocol === 'HTTP/1.1' ? request.protocol : `${request.protocol}.0`;
  const line = `${escapeNginx(request.method)} ${escapeNginx(request.target)} ${protocol}`;
  const seconds = (request.time_taken_ms / 1000).toFixed(3);
  return `${request.client_ip} - - [${commonLogTime(request.timestamp)}] "${line}" ${request.status} ${request.bytes_sent} "${escapeNginx(request.referrer) || '-'}" "${escapeNginx(request.user_agent) || '-'}" ${seconds} host=${request.host}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21/Nov/2026:08:00:00 +0000` */
function commonLogTime(timestamp: number): string {
  const iso = new Date(timestamp).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1];
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

/** nginx's default escaping: quotes, backslashes and every byte outside printable ASCII as `\xHH`. */
function escapeNginx(text: string): string {
  if (!/["\\]|[^ -~]/.test(text)) return text;
  return text.replace(/["\\]|[^ -~]+/g, (run) =>
    [...Buffer.from(run)].map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}
