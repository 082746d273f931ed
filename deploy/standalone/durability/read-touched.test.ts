import { describe, expect, test } from 'vitest';
import { plainRequest } from '../../../services/enricher/sink/plain-request.js';
import { DAY_MS } from '../../../shared/durations.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { createMemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { uncheckedBlock } from '../../../test/harness/unchecked-block.js';
import { readTouched } from './read-touched.js';

const receivedAt = Date.parse('2026-11-21T12:00:00Z');

const rawBlockOf = (website_id: string, ...timestamps: number[]) => ({
  website_id,
  source: 'loglane' as const,
  upload_id: 'u',
  received_at: receivedAt,
  requests: timestamps.map((timestamp) => plainRequest({ timestamp })),
});
const blockOf = (website_id: string, ...timestamps: number[]) =>
  encodeRawBlock(rawBlockOf(website_id, ...timestamps));

describe('buckets of records after a checkpoint', () => {
  test('are the days of their rows and of their receipt, only for these records', async () => {
    const log = createMemoryEventLog(1);
    const values = [
      blockOf('before', receivedAt),
      blockOf('a', receivedAt - 3 * DAY_MS, receivedAt - 3 * DAY_MS + 1),
      Buffer.from('no block'),
      blockOf('b', receivedAt),
      blockOf('b', 2 ** 52, 0),
      // A writer to the log may send any date, including dates that no column can store.
      uncheckedBlock(rawBlockOf('b', -(2 ** 52))),
      blockOf('behind', receivedAt),
    ];
    await log.append(
      'requests.raw',
      values.map((value) => ({ key: 'k', value })),
    );
    const touched = await readTouched(log, 'checkpoints', [{ partition: 0, from: 1, to: 6 }]);
    expect(touched.receivedFrom).toBe(receivedAt);
    const days = touched.buckets.map(({ websiteId, day }) => `${websiteId} ${day}`).sort();
    expect(days).toEqual(['a 2026-11-18', 'a 2026-11-21', 'b 1970-01-01', 'b 2026-11-21']);
  });
});
