import type { LogRecord } from '../../../shared/event-log/event-log.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { plainRequest } from './plain-request.js';
import type { BlockPlace } from './range/encode-rows.js';

/**
 * Rows that are inserted only to test whether the store accepts them (EXACTLY-ONCE.md, "Refused rows"). They
 * pass through all views, but belong to a website and a partition that do not exist, and expire at once.
 */

export const TRIAL_WEBSITE = '~trial';
/** No topic has this many partitions. */
const TRIAL_PARTITION = 65_535;

export function trialPlace(place: BlockPlace): BlockPlace {
  return { ...place, websiteId: TRIAL_WEBSITE, partition: TRIAL_PARTITION, retentionDays: 0 };
}

/**
 * A record that any working store accepts. It belongs to a named upload, so that it can be queried and
 * remembered.
 */
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
