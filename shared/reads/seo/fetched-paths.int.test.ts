import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { searchKnownPaths } from './fetched-paths.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

const now = Date.now();

test('finds the maximum number of paths, each of maximum length and with any letters', async () => {
  const paths = Array.from({ length: 50 }, (_, index) => `/${index}${"漢'".repeat(4_090)}`);
  const rows = paths.map((path, log_index) =>
    storedRequest({ ...googlebot, website_id: 'w', timestamp: now - 60_000, path, log_index }),
  );
  await insertStored(engine.clickhouse, rows, { deduplicationToken: 'long' });
  const search = { fragment: '', limit: 50, listedSince: null, crawlId: null };
  const found = await searchKnownPaths(
    engine.clickhouse,
    { websiteId: 'w', now, basis: 'verified', build: null },
    search,
  );
  expect(found.matches).toBe(50);
  expect(found.paths.map(({ path, crawled }) => [path, crawled?.crawls])).toEqual(
    paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((path) => [path, 1]),
  );
});
