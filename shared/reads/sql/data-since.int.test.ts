import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { HOUR_MS } from '../../durations.js';
import { readLogStart } from './data-since.js';

const START = Date.UTC(2026, 10, 1);
const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place);

const cases: Record<string, readonly [at: readonly number[], completeSince: number]> = {
  'the oldest request of logs without a gap': [hours(0, 100), 0],
  'the hour after a gap, not a stray line before it': [[0, ...hours(480, 600)], 480],
  'the last of two gaps': [[...hours(0, 40), ...hours(100, 200), ...hours(240, 300)], 240],
  'the oldest request in spite of a quiet day': [[...hours(0, 40), ...hours(63, 100)], 0],
  'the oldest request of a website with few requests': [[0, 50, 130, 170, 260], 0],
};

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const rows = Object.entries(cases).flatMap(([website_id, [at]]) =>
    at.map((hour) => storedRequest({ website_id, timestamp: START + hour * HOUR_MS })),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'rows' });
}, 120_000);
afterAll(() => engine?.stop());

test.each(Object.entries(cases))('logs are complete since %s', async (websiteId, [, completeSince]) => {
  expect(await readLogStart(engine.clickhouse, websiteId)).toEqual({
    since: START,
    completeSince: START + completeSince * HOUR_MS,
  });
});

test('a website without a request has no start', async () => {
  expect(await readLogStart(engine.clickhouse, 'none')).toBeNull();
});
