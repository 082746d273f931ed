import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { readAsn, readBytes, readMediaType, readMilliseconds, readNumber, readText } from './util/coerce.js';
import { readCountryName } from './util/country-name.js';
import { notATime } from './util/not-a-time.js';
import { parseTimestamp, wholeMilliseconds } from './util/parse-timestamp.js';
import type { JsonRecord, JsonSource, Rejection, Skip } from './util/source.js';
import { normaliseHost, normaliseMethod, normaliseProtocol, splitHostFromTarget } from './util/target.js';

const shieldHop: Skip = { skip: 'request of a Fastly node to the shield' };

/**
 * Fastly real-time log streaming with a JSON format: the default one, those of Fastly's guides, and the CDN log of Adobe
 * Experience Manager as a Cloud Service, which is Fastly's with other names. Fields: docs/sources/fastly.md.
 */
export const fastly: JsonSource = {
  name: 'fastly',
  shape: 'json',

  detect: (record) =>
    record.fastly_server !== undefined ||
    record.fastly_is_edge !== undefined ||
    record.response_state !== undefined ||
    record.geo_datacenter !== undefined ||
    (record.request_user_agent !== undefined && record.client_ip !== undefined) ||
    (record.cli_ip !== undefined && (record.rid !== undefined || record.req_ua !== undefined)),

  open: () => parser,
};

const parser = {
  parse(record: JsonRecord): RawRequest | Rejection | Skip {
    if (record.fastly_is_edge === false || record.fastly_is_edge === 'false') return shieldHop;
    const written = firstText(record.url, record.path, record.request_url, record.http_url);
    if (written === '') return { reject: 'url: missing; add it to the log format' };
    const { target, host } = splitHostFromTarget(written);
    const time =
      record.timestamp ?? record['@timestamp'] ?? record.time_start ?? record.start_time ?? record.time;
    const timestamp = wholeMilliseconds(parseTimestamp(withoutZoneName(time)));
    if (!Number.isSafeInteger(timestamp)) return notATime(time);
    return {
      timestamp,
      client_ip: firstText(record.client_ip, record.cli_ip, record.ip_address, record.remote_addr),
      method: normaliseMethod(firstText(record.request_method, record.method, record.request)),
      host: normaliseHost(firstText(record.host, record.origin_host)) || host,
      target,
      protocol: normaliseProtocol(firstText(record.request_protocol, record.protocol)),
      status: readNumber(firstText(record.response_status, record.status, record.http_status_code)),
      bytes_sent: readBytes(
        firstText(record.response_body_size, record.resp_body_size, record.body_size, record.response_bytes),
      ),
      time_taken_ms: timeTaken(record),
      user_agent: firstText(record.request_user_agent, record.user_agent, record.req_ua),
      referrer: firstText(record.request_referer, record.request_referrer, record.referer, record.referrer),
      request_id: firstText(record.request_id, record.rid),
      content_type: readMediaType(
        firstText(record.response_content_type, record.content_type, record.res_ctype),
      ),
      cache_status: firstText(
        record.response_state,
        record.cache_status,
        record.state,
        record.cache,
      ).toLowerCase(),
      source_country: readCountryName(
        firstText(record.geo_country_code, record.cli_country, record.geo_country),
      ),
      source_asn: readAsn(record.client_asn ?? record.geo_asn ?? record.asn),
      cdn_bot_category: '',
    };
  },
};

/** The first value that is present; an unset VCL variable is logged as "(null)". */
function firstText(a: unknown, b: unknown, c?: unknown, d?: unknown): string {
  return textOf(a) || textOf(b) || textOf(c) || textOf(d);
}

function textOf(value: unknown): string {
  const text = readText(value);
  return text === '(null)' ? '' : text;
}

/** `%Z` of Fastly's formats writes the zone's name, and Fastly's clocks have UTC. */
function withoutZoneName(time: unknown): unknown {
  if (typeof time !== 'string') return time;
  return time.endsWith('UTC') || time.endsWith('GMT') ? time.slice(0, -3).trimEnd() : time;
}

/**
 * Fastly's guides log `time.elapsed.usec`. The time to the first byte counts only in Adobe's log, where it is in
 * milliseconds. Elsewhere its unit depends on the format.
 */
function timeTaken(record: JsonRecord): number | null {
  return (
    readMilliseconds(record.time_elapsed_msec) ??
    readMilliseconds(record.request_latency ?? record.time_elapsed_usec ?? record.time_elapsed, 1 / 1_000) ??
    (record.cli_ip === undefined ? null : readMilliseconds(record.ttfb))
  );
}
