import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/raw-block-codec.js';
import type { BlockPlace } from './encode-rows.js';

/**
 * Rows that are inserted only to see whether the store takes them (EXACTLY-ONCE.md, "What the store refuses"). They go the whole
 * way, views and all, but belong to a website that nobody has, stand in no partition of the log, and expire at once.
 */

export const TRIAL_WEBSITE = '~trial';
/** No topic has so many partitions. */
const TRIAL_PARTITION = 65_535;

export function trialPlace(place: BlockPlace): BlockPlace {
  return { ...place, websiteId: TRIAL_WEBSITE, partition: TRIAL_PARTITION, retentionDays: 0 };
}

/** A record that any store takes which takes one at all. */
export function plainRecord(now: number): LogRecord {
  const request = {
    timestamp: now,
    client_ip: '192.0.2.1',
    method: 'GET',
    host: '',
    target: '/',
    protocol: '',
    status: 200,
    bytes_sent: 0,
    time_taken_ms: null,
    user_agent: '',
    referrer: '',
    request_id: '',
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
  };
  const block = {
    website_id: TRIAL_WEBSITE,
    source: '',
    upload_id: '',
    received_at: now,
    requests: [request],
  };
  return { partition: 0, offset: 0, key: '', appendedAt: now, value: encodeRawBlock(block) };
}
