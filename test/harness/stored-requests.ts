import { createRowsEncoder, requestColumns } from '../../services/enricher/sink/range/encode-rows.js';
import type { Enrichment } from '../../shared/requests/enriched-request.js';
import type { RawRequest } from '../../shared/requests/raw-request.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';
import { enrichedAs } from './enrich-each.js';

/** Rows of `requests` in the enricher's form; tests give the differences. */

type Fields = RawRequest & Enrichment;

export interface StoredRequest extends Fields {
  readonly website_id: string;
  readonly received_at: number;
  readonly source: string;
  readonly log_partition: number;
  readonly log_offset: number;
  readonly log_index: number;
}

/** A plain page view of a person in Germany; `given` has the differences. */
export function storedRequest(
  given: Partial<StoredRequest> & { website_id: string; timestamp: number },
): StoredRequest {
  return {
    received_at: given.timestamp + 1_000,
    source: 'loglane',
    log_partition: 0,
    log_offset: 0,
    log_index: 0,
    client_ip: '192.0.2.7',
    method: 'GET',
    host: 'www.example.com',
    target: given.path ?? '/',
    protocol: 'HTTP/2',
    status: 200,
    bytes_sent: 1_200,
    time_taken_ms: 45,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    referrer: '',
    request_id: '',
    content_type: 'text/html',
    cache_status: 'miss',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
    path: '/',
    query: '',
    sent_target: '',
    file_type: 'html',
    is_bot: false,
    is_probe: false,
    traffic_class: 'human',
    bot_name: '',
    bot_variant: '',
    bot_family: '',
    bot_operator: '',
    bot_category: '',
    ai_intent: '',
    bot_verification: '',
    verification_method: '',
    rules_version: '2026-11/2026-08-21/00000000',
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    asn: 3320,
    as_name: 'Deutsche Telekom AG',
    browser: 'Firefox',
    os: 'Linux',
    device_type: 'desktop',
    referrer_domain: '',
    referrer_class: 'direct',
    ai_operator: '',
    ...given,
  };
}

/** The fields of a request by Google's search crawler. */
export const googlebot = {
  client_ip: '66.249.66.1',
  user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  is_bot: true,
  traffic_class: 'search_bot',
  bot_name: 'Googlebot',
  bot_variant: 'desktop',
  bot_family: 'Google',
  bot_operator: 'Google',
  bot_category: 'search',
  bot_verification: 'verified',
  browser: '',
  os: '',
  device_type: 'bot',
  country: 'US',
  region: 'California',
  city: 'Mountain View',
  asn: 15_169,
  as_name: 'Google LLC',
} as const satisfies Partial<StoredRequest>;

export async function insertStored(
  writer: ClickHouseWriter,
  requests: readonly StoredRequest[],
  {
    deduplicationToken,
    retentionDays = 400,
    addressDays = 0,
  }: { deduplicationToken: string; retentionDays?: number; addressDays?: number },
): Promise<void> {
  const encoder = createRowsEncoder(requests.length);
  for (const request of requests) {
    const { website_id, received_at, source, log_partition, log_offset, log_index } = request;
    const place = {
      websiteId: website_id,
      source,
      receivedAt: received_at,
      partition: log_partition,
      offset: log_offset,
      retentionDays,
      addressDays,
    };
    encoder.add(place, enrichedAs([request], [request]), Uint32Array.of(0), Uint32Array.of(log_index));
  }
  await writer.insert({
    table: 'requests',
    columns: requestColumns,
    rows: Buffer.concat([...encoder.encode()]),
    format: 'Native',
    deduplicationToken,
  });
}
