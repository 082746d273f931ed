import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { plainRequest } from './plain-request.js';
import type { BlockPlace } from './range/encode-rows.js';

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

/** A record that any store takes which takes one at all; of a named upload, so that it can be asked about and remembered. */
export function plainRecord(now: number): LogRecord {
  const block = {
    website_id: TRIAL_WEBSITE,
    source: '',
    upload_id: '',
    received_at: now,
    requests: [plainRequest({ timestamp: now })],
  };
  const value = encodeRawBlock(block, { uploadKey: TRIAL_WEBSITE, index: 0 });
  return { partition: TRIAL_PARTITION, offset: 0, key: TRIAL_WEBSITE, appendedAt: now, value };
}
