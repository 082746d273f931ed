import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { NEWEST_LINES } from '../../deploy/embedded/engine/orphan-tokens.js';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { ROLLUP_TABLES } from '../../test/harness/rollup-tables.js';
import { isNightly } from '../../test/harness/runs.js';
import { insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import type { ClickHouseWriter } from './client.js';

/** How long the store remembers a token (services/enricher/sink/EXACTLY-ONCE.md). */

const WINDOW = 20_000;

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

const read = <Row>(sql: string, row: z.ZodType<Row>) =>
  store.clickhouse.read({ name: 'test', sql, params: {}, row });

test('the table and every target of a view over it remember 20,000 parts', async () => {
  const views = await read(
    `SELECT arrayJoin([extract(create_table_query, ' TO (\\\\S+)'), extract(as_select, 'FROM (\\\\S+)')]) AS name
     FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
    z.object({ name: z.string() }),
  );
  const fed = new Set(views.map(({ name }) => name.split('.').at(-1)));
  const tables = await read(
    `SELECT name, extract(engine_full, 'non_replicated_deduplication_window = (\\\\d+)') AS window
     FROM system.tables WHERE database = currentDatabase() AND engine != 'MaterializedView'`,
    z.object({ name: z.string(), window: z.string() }),
  );
  const known = tables.filter(({ name }) => fed.has(name));
  expect(known.map(({ name }) => name)).toContain('requests');
  expect(known.length).toBeGreaterThan(15);
  expect(known.filter(({ window }) => Number(window) < WINDOW)).toEqual([]);
});

test('no table remembers fewer tokens than the engine checks at its start', async () => {
  const windows = await read(
    `SELECT name, toUInt32OrZero(extract(engine_full, 'non_replicated_deduplication_window = (\\\\d+)')) AS window
     FROM system.tables WHERE database = currentDatabase() AND engine_full LIKE '%deduplication_window = %'`,
    z.object({ name: z.string(), window: z.number() }),
  );
  expect(windows.length).toBeGreaterThan(15);
  expect(windows.filter(({ window }) => window < NEWEST_LINES)).toEqual([]);
});

test('a repeated insert of fourteen months, partly stored already, changes nothing in any table', async () => {
  const month = (index: number) =>
    Array.from({ length: 40 }, (_, row) =>
      storedRequest({
        website_id: 'w',
        timestamp: Date.UTC(2025, index, 1 + (row % 20), row),
        received_at: Date.now(),
        path: `/${row % 7}`,
        client_ip: `192.0.2.${row % 11}`,
        log_offset: index,
        log_index: row,
      }),
    );
  const months = (count: number) => Array.from({ length: count }, (_, index) => month(index)).flat();
  // As after an interrupted insert: some months are stored.
  await insertStored(store.clickhouse, months(5), { deduplicationToken: 'M' });
  await insertStored(store.clickhouse, months(14), { deduplicationToken: 'M' });
  await insertStored(store.clickhouse, months(14), { deduplicationToken: 'M' });
  const counts = z.object({ table: z.string() });
  const rollups = await read(
    `${ROLLUP_TABLES} AND table NOT LIKE '%bot%' AND table NOT LIKE 'crawler%' AND table NOT LIKE 'ai%' AND table NOT LIKE 'pending%' AND table != 'not_found_per_hour' AND table != 'receipts_per_day'`,
    counts,
  );
  expect(rollups.length).toBeGreaterThan(8);
  for (const [from, figure] of [
    ['requests', 'count()'],
    ...rollups.map(({ table }) => [table, 'sum(requests)'] as const),
  ] as const) {
    const rows = await read(
      `SELECT toUInt32(${figure}) AS n FROM ${from} WHERE website_id = 'w'`,
      z.object({ n: z.number() }),
    );
    expect([from, rows]).toEqual([from, [{ n: 14 * 40 }]]);
  }
});

describe('a token', () => {
  // The same tables, without fourteen of the fifteen targets: one part per month and insert.
  beforeAll(async () => {
    const { clickhouse } = store;
    await clickhouse.command('CREATE TABLE few AS requests');
    await clickhouse.command('CREATE TABLE few_per_day AS receipts_per_day');
    await clickhouse.command(
      `CREATE MATERIALIZED VIEW few_mv TO few_per_day AS SELECT website_id, toDate(timestamp) AS day, count() AS requests, max(today() + 30) AS expires, today() + 30 AS last_day
       FROM few GROUP BY website_id, day, last_day`,
    );
  });

  const toFew: ClickHouseWriter = {
    command: (...given) => store.clickhouse.command(...given),
    insert: (options) => store.clickhouse.insert({ ...options, table: 'few' }),
  };

  test.runIf(isNightly)(
    'is still known after twelve inserts of 95 months',
    { timeout: 180_000 },
    async () => {
      const row = (month: number) =>
        storedRequest({ website_id: 'w', timestamp: Date.UTC(2018, month, 3), received_at: Date.now() });
      await insertStored(toFew, [row(0)], { deduplicationToken: 'A' });
      const months = Array.from({ length: 95 }, (_, month) => row(month));
      for (let insert = 0; insert < 12; insert += 1) {
        await insertStored(toFew, months, { deduplicationToken: `of another partition, ${insert}` });
      }
      await insertStored(toFew, [row(0)], { deduplicationToken: 'A' });
      const count = z.object({ n: z.number() });
      expect(await read('SELECT count() AS n FROM few', count)).toEqual([{ n: 1 + 12 * 95 }]);
      expect(await read('SELECT toUInt32(sum(requests)) AS n FROM few_per_day', count)).toEqual([
        { n: 1 + 12 * 95 },
      ]);
    },
  );
});
