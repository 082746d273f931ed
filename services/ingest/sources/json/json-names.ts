import { words } from '../util/cut-text.js';

/**
 * Names of a request's fields in people's formats and tools, for the source `json`: nginx's and Apache's own
 * formats, HAProxy, ingress-nginx, edge functions, the Elastic Common Schema, OpenTelemetry, Logstash, Fluentd, pino.
 * Each field lists its most specific name first, and the first name with a value counts. The list has only names
 * whose meaning and unit are known.
 *
 * Names are compared without case and without the joints of their parts. So `http.request.method` also matches
 * `http_request_method`, `httpRequestMethod` and `{"http":{"request":{"method":…}}}`. Dots join parts that may be
 * objects. Only case is ignored in a header's name.
 */
const names = {
  // `@timestamp` may be the time at which a shipper read the line, so the line's own time precedes it.
  time: words(`
    msec time_iso8601 time_local timestamp_ms timestamp start_time request_timestamp time_start datetime
    date_time event_time log_time time ts time_unix_nano epoch @timestamp request_time_epoch`),
  /** A day if `time` has only the clock; a complete time without `time`. */
  date: words('date'),
  /** The connection's address, or the site's replacement for it. */
  client: words(`
    client.ip source.ip client.address source.address network.client.ip client.addr remote_addr remote_ip
    remote_address request.remote_ip request.remote_addr request.remote_address request.ip source_ip src_ip
    visitor_ip viewer_ip user_ip ip_address ip c_ip remote_host remote client the_real_ip
    network.peer.address net.sock.peer.addr net.peer.ip proxy_protocol_addr realip_remote_addr client_host`),
  forwarded: words('http_x_forwarded_for x_forwarded_for proxy_add_x_forwarded_for forwarded_for xff'),
  /** One address that a proxy writes into its own header. */
  proxyHeader: words(`
    http_x_real_ip x_real_ip real_ip http_cf_connecting_ip cf_connecting_ip http_true_client_ip
    true_client_ip http.client_ip`),
  method: words('http.request.method http.method request.method req_method verb cs_method method'),
  /** Path with query, or an absolute URL. */
  target: words(`
    request.uri url.original http.target request.original_url original_url original_uri request.url
    request_full_uri url.full http.url full_url raw_uri url`),
  /** The request line, or its target. */
  request: words('request request_line raw_request http_request'),
  /** Path whose query may be in another field, and that the server may have rewritten. */
  path: words(`
    url.path http.path http.url_details.path request.path raw_path path uri uri_path pathname cs_uri_stem
    document_uri`),
  query: words(`
    url.query request.query request.query_string raw_query_string query_string args query uri_query
    cs_uri_query search url.search`),
  host: words(`
    url.domain url.host http.url_details.host vhost virtual_host http.host request.host authority
    host_header cs_host hostname_requested host server.address server_name net.host.name domain domain_name`),
  protocol: words(`
    server_protocol request.protocol request.proto http_protocol http.version proto http.request.version
    network.protocol.version http.flavor cs_version protocol`),
  status: words(`
    http.response.status_code http.status_code http.status response.status_code response.status status_code
    sc_status status response_code response code elb_status_code`),
  bytes: words(`
    bytes_sent http.response.bytes response.bytes http.response.size body_bytes_sent
    http.response.body.bytes http.response.body.size http.response_content_length response.size
    response.body_size response_length response.content_length body_size bytes_out sc_bytes
    network.bytes_written bytes size body_bytes_size sent_bytes`),
  userAgent: words(`
    user_agent.original http.user_agent request.user_agent user_agent cs_user_agent agent ua`),
  referrer: words(`
    http.request.referrer http.referer http.referrer request.referer request.referrer referer referrer
    cs_referer cs_referrer`),
  requestId: words(`
    request.id http.request.id x_request_id http_x_request_id http.request_id req_id ray_id cf_ray unique_id`),
  // nginx's $content_type belongs to the request, and a GET has none.
  contentType: words(`
    sent_http_content_type http.response.mime_type response.content_type resp_content_type
    upstream_http_content_type mime_type content_type`),
  cache: words(`
    upstream_cache_status cache_status cache.status sent_http_x_cache x_cache cf_cache_status
    response.cache_status cache`),
  country: words(`
    client.geo.country_iso_code source.geo.country_iso_code geo.country_iso_code geoip.country_iso_code
    geoip.country_code2 geoip_country_code geoip2_country_code geoip2_data_country_code geo.country_code
    client_country country_code cf.country country`),
  asn: words(`
    client.as.number source.as.number as.number geoip.asn geoip2_asn geoip_asn cf.asn client_asn asn`),
  timeTaken: [],
} satisfies Record<string, readonly string[]>;

export type Field = keyof typeof names;
export const fields = Object.keys(names) as readonly Field[];

/** A duration's name has its unit, except nginx's known names. `duration` and similar names may have any unit. */
const durations: readonly (readonly [name: string, perMillisecond: number])[] = [
  ['request_time', 1_000],
  ['http.server.request.duration', 1_000],
  ['event.duration', 1e-6],
  ...words(`
    duration request_duration response_duration request_time response_time latency request_latency
    time_taken time_elapsed elapsed elapsed_time total_time took`).flatMap(units),
];

function units(name: string): [string, number][] {
  const named = (perUnit: number, written: string) =>
    words(written).map((unit): [string, number] => [`${name}_${unit}`, perUnit]);
  return [
    ...named(1, 'ms msec millis milliseconds'),
    ...named(1e-3, 'us usec micros microseconds'),
    ...named(1e-6, 'ns nsec nanos nanoseconds'),
    ...named(1_000, 's sec secs seconds'),
    // Counts if its value has a unit.
    [name, Number.NaN],
  ];
}

/** Objects that have headers by name. */
const requestHeaders = words('headers request.headers http.headers http.request.headers http.request.header');
const responseHeaders = words('response.headers http.response.headers http.response.header');

const requestHeaderFields: readonly (readonly [header: string, field: Field])[] = [
  ['user-agent', 'userAgent'],
  ['referer', 'referrer'],
  ['host', 'host'],
  ['x-forwarded-for', 'forwarded'],
  ['x-real-ip', 'proxyHeader'],
  ['cf-connecting-ip', 'proxyHeader'],
  ['true-client-ip', 'proxyHeader'],
  ['x-request-id', 'requestId'],
];
const responseHeaderFields: readonly (readonly [header: string, field: Field])[] = [
  ['content-type', 'contentType'],
  ['x-cache', 'cache'],
  ['cf-cache-status', 'cache'],
];

/** The meaning of a name. */
export interface Known {
  /** Folded. */
  readonly name: string;
  readonly field: Field;
  /** Lower ranks are more specific. */
  readonly rank: number;
  /** Milliseconds in a duration's unit; NaN if only the value has the unit. */
  readonly perUnit: number;
  /**
   * A header's own name in lower case, with which the written name ends, because clients may send headers with other
   * joints. '' for other names.
   */
  readonly header: string;
}

/** Folds a name for comparison: no case, and no joints of its parts. pino abbreviates with `req` and `res`. */
export function foldName(name: string): string {
  const folded = name.toLowerCase().replace(/[_\-.: ()]/g, '');
  if (folded === 'req') return 'request';
  return folded === 'res' ? 'response' : folded;
}

const known = new Map<string, Known>();
const prefixes = new Set<string>();

function add(name: string, field: Field, rank: number, { perUnit = 1, header = '' } = {}): void {
  const folded = foldName(name);
  if (!known.has(folded)) known.set(folded, { name: folded, field, rank, perUnit, header });
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    prefixes.add(foldName(name.slice(0, dot)));
  }
}

for (const [name, perMillisecond] of durations)
  add(name, 'timeTaken', known.size, { perUnit: perMillisecond });
for (const [field, list] of Object.entries(names)) {
  for (const [rank, name] of list.entries()) add(name, field as Field, rank);
}
for (const part of requestHeaders) {
  for (const [header, field] of requestHeaderFields)
    add(`${part}.${header}`, field, names[field].length, { header });
}
for (const part of responseHeaders) {
  for (const [header, field] of responseHeaderFields)
    add(`${part}.${header}`, field, names[field].length, { header });
}

/** The meaning of a folded name. */
export const knownNames: ReadonlyMap<string, Known> = known;
/** Folded names of the objects that are searched. */
export const knownObjects: ReadonlySet<string> = prefixes;
/** Length of the longest known name. */
export const LONGEST_NAME = 64;
