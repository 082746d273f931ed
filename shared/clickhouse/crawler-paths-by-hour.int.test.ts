import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { type MigrationsBefore, migrationsBefore } from '../../test/harness/migrations-before.js';
import { googlebot, insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../durations.js';
import { createLogger } from '../log.js';
import { searchCrawls } from '../queries/search-crawls.js';
import { migrate } from './migrate.js';

/** What crawlers fetched, of a store that the release before filled by hour and by day (0064). */

const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
let older: MigrationsBefore;
let store: TestClickHouse;
beforeAll(async () => {
  older = await migrationsBefore('0064');
  store = await startTestClickHouse({ migrations: older.directory });
  await fetchAll('before');
  const before = await counts('crawler_paths_per_hour', 'hour');
  expect(before).toHaveLength(3 * 24);
  await migrate(store.clickhouse, { logger: createLogger('silent', 'test') });
  expect(await counts('crawler_paths_per_hour', 'hour')).toEqual(before);
  await fetchAll('after');
  await store.clickhouse.command('OPTIMIZE TABLE crawler_paths_per_hour FINAL');
}, 180_000);
afterAll(async () => {
  await store?.stop();
  await older?.remove();
});

/** Each of three days, in every hour: 40 paths once, and two more at both ends of the hour. */
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

/** Requests of the ends of the hours. */
function counts(table: string, bucket: 'hour' | 'day') {
  return store.clickhouse.read({
    name: 'test',
    sql: `SELECT toString(${bucket}) AS bucket, sum(c.requests) AS requests FROM ${table} AS c
WHERE path = '/edge' GROUP BY bucket ORDER BY bucket`,
    params: {},
    row: counted,
  });
}

test('rows of each hour stay apart when they are merged, and count once with what came before', async () => {
  const edges = await counts('crawler_paths_per_hour', 'hour');
  expect(edges).toHaveLength(3 * 24);
  expect(new Set(edges.map(({ requests }) => requests))).toEqual(new Set([4]));
});

test('the release before is told whole days', async () => {
  const days = await counts('crawler_paths_per_day', 'day');
  expect(days.map(({ requests }) => requests)).toEqual([96, 96, 96]);
});

test('a window of days is found by the sorting key', async () => {
  const { sql, params } = searchCrawls({
    websiteId: 'w',
    now,
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
  // By `hour` itself it would look through every day of the website.
  for (const condition of conditions) expect(condition).toContain('toDate(hour) in');
});

test('no column of a rollup is stored as the engine does by default', async () => {
  const columns = await store.clickhouse.read({
    name: 'test',
    sql: `SELECT table, name FROM system.columns
WHERE database = currentDatabase() AND match(table, '_per_(hour|day)$') AND compression_codec = ''
  AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree')`,
    params: {},
    row: z.object({ table: z.string(), name: z.string() }),
  });
  expect(columns).toEqual([]);
});
