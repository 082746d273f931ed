import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../../shared/durations.js';
import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import { encodeRawBlock, readDeduplicationId } from '../../../../shared/requests/columns/raw-block-codec.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { plainRequest } from '../plain-request.js';
import { MOST_RECORDS } from './plan-range.js';
import { createKnownBlocks, repeatsAmong } from './repeated-blocks.js';

const START = Date.UTC(2026, 10, 1);

/** A block's record; `upload` null: the upload has no name. */
function record(
  offset: number,
  upload: string | null,
  {
    websiteId = 'w1',
    hours = 0,
    partition = 0,
  }: { websiteId?: string; hours?: number; partition?: number } = {},
): LogRecord {
  const block = { website_id: websiteId, source: 's', upload_id: `u${offset}`, received_at: offset };
  return {
    partition,
    offset,
    key: `${websiteId}/7`,
    appendedAt: START + hours * HOUR_MS,
    value: encodeRawBlock(
      { ...block, requests: [plainRequest()] },
      upload === null ? null : { uploadKey: `${websiteId}/${upload}`, index: 0 },
    ),
  };
}

describe('on the store', () => {
  let engine: TestClickHouse;
  beforeAll(async () => {
    engine = await startTestClickHouse();
  });
  afterAll(() => engine?.stop());

  test('a block is a repeat if it follows one with its id in its partition', async () => {
    const memory = createKnownBlocks(engine.clickhouse);
    const first = [record(10, 'a'), record(11, 'b'), record(12, null)];
    expect(await memory.findRepeats(first)).toEqual(new Set());
    await memory.remember(first, 't1');
    // A crash before "done": queried and remembered again.
    expect(await memory.findRepeats(first)).toEqual(new Set());
    await memory.remember(first, 't1');
    const second = [record(13, 'b', { hours: 24 }), record(14, 'c'), record(15, 'c'), record(16, null)];
    expect(await memory.findRepeats(second)).toEqual(new Set([13, 15]));
    await memory.remember([record(14, 'c'), record(16, null)], 't2');
    expect(await memory.findRepeats([record(17, 'b', { hours: 25 })])).toEqual(new Set());
    expect(await memory.findRepeats([record(17, 'c')])).toEqual(new Set([17]));
    expect(await memory.findRepeats([record(17, 'c', { partition: 1 })])).toEqual(new Set());
    expect(await memory.findRepeats([record(17, 'c', { websiteId: 'w2' })])).toEqual(new Set());
  });

  test('all blocks of the largest range are queried', { timeout: 120_000 }, async () => {
    const memory = createKnownBlocks(engine.clickhouse);
    const range = Array.from({ length: MOST_RECORDS }, (_, index) => record(100 + index, `many ${index}`));
    await memory.remember(range.slice(-1), 't3');
    const again = range.map((one) => ({ ...one, offset: one.offset + MOST_RECORDS }));
    expect(await memory.findRepeats(again)).toEqual(new Set([again.at(-1)?.offset]));
    await memory.remember(again, 't4');
  });

  test('a range without named blocks runs no query and no insert', async () => {
    const memory = createKnownBlocks({
      ...engine.clickhouse,
      read: () => Promise.reject(new Error('asked')),
      insert: () => Promise.reject(new Error('written')),
    });
    const plain = [record(1, null)];
    expect(await memory.findRepeats(plain)).toEqual(new Set());
    await memory.remember(plain, 't');
  });
});

test('the day counts from the stored block, not from its last repeat', () => {
  const id = readDeduplicationId(record(0, 'a').value) as string;
  const at = (offset: number, hours: number) => ({
    websiteId: 'w1',
    partition: 0,
    deduplicationId: id,
    offset,
    appendedAt: START + hours * HOUR_MS,
  });
  expect(repeatsAmong([at(1, 0), at(2, 20), at(3, 30), at(4, 40)], [])).toEqual(new Set([2, 4]));
});
