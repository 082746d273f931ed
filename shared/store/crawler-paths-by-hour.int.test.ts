import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../durations.js';
import { searchCrawlerFetches } from '../reads/bots/search-crawler-fetches.js';

/** The rollup of crawled paths: its sorting key has the day and the hour of the day, not `hour`. */

const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
  await fetchAll('one');
  await fetchAll('two');
  await store.clickhouse.command('OPTIMIZE TABLE crawler_paths_per_hour FINAL');
}, 180_000);
afterAll(() => store?.stop());

/** For each of three days, in every hour: 40 paths once, and two more at both ends of the hour. */
async function fetchAll(name: string): Promise<void> {
  const rows = [1, 2, 3].flatMap((daysAgo) =>
    Array.from({ length: 24 }, (_, hour) => now - daysAgo * DAY_MS + hour * HOUR_MS).flatMap((start) => [
      ...Array.from({ length: 40 }, (_, path) => [start + path * 60_000, `/p/${path}`] as const),
      [start, '/edge'] as const,
      [start + HOUR_MS - 1, '/edge'] as const,
    ]),
  );
  await insertStored(
    store.clickhouse,
    rows.map(([timestamp, path], log_index) =>
      storedRequest({ ...googlebot, website_id: 'w', timestamp, path, log_index }),
    ),
    { deduplicationToken: name },
  );
}

const counted = z.object({ bucket: z.string(), requests: z.number() });

test('rows of different hours stay separate after merges', async () => {
  const edges = await store.clickhouse.read({
    name: 'test',
    sql: `SELECT toString(hour) AS bucket, sum(c.requests) AS requests FROM crawler_paths_per_hour AS c
WHERE path = '/edge' GROUP BY bucket ORDER BY bucket`,
    params: {},
    row: counted,
  });
  expect(edges).toHaveLength(3 * 24);
  expect(new Set(edges.map(({ requests }) => requests))).toEqual(new Set([4]));
});

test('a window of days is found by the sorting key', async () => {
  const { sql, params } = searchCrawlerFetches({
    websiteId: 'w',
    now,
    basis: 'unproved',
    from: now - DAY_MS,
    before: now,
    columns: ['requests'],
  });
  const plan = await store.clickhouse.read({
    name: 'test',
    sql: `EXPLAIN indexes = 1 ${sql}`,
    params,
    row: z.object({ explain: z.string() }),
  });
  const conditions = plan.map(({ explain }) => explain).filter((line) => line.includes('bot_category in'));
  expect(conditions.length).toBeGreaterThan(0);
  // With `hour` itself it would read every day of the website.
  for (const condition of conditions) expect(condition).toContain('toDate(hour) in');
});
