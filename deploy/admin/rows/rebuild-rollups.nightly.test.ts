import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ClickHouse } from '../../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { requestRowColumns, requestRows } from '../../../test/harness/request-rows.js';
import { type Bucket, bucketsOf, rebuildRollups } from './rebuild-rollups.js';
import { findRollups } from './rollup-tables.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

const DAY = Date.UTC(2026, 9, 30);
let ids = 0;
const options = { newId: () => `attempt-${ids++}`, logger: pino({ level: 'silent' }) };

async function insert(batch: number, websiteId: string, start: number, rows = 500) {
  await store.clickhouse.insert({
    table: 'requests',
    columns: requestRowColumns,
    rows: requestRows({ batch, rows, websiteId, start }),
    deduplicationToken: `${websiteId} ${batch}`,
  });
}

const ask = <Row>(sql: string, row: z.ZodType<Row>) =>
  store.clickhouse.read({ name: 'test', sql, row, params: {} });

async function targets(): Promise<string[]> {
  const rollups = await findRollups(store.clickhouse);
  return rollups.flatMap(({ target, fed }) => [target, ...fed.map((one) => one.target)]);
}

/** Contents of every rollup, with finalised states and merged, sorted rows. */
async function contents(where = '1'): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const target of await targets()) {
    const columns = await ask(
      `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '${target}' ORDER BY position`,
      z.object({ name: z.string(), type: z.string() }),
    );
    const read = columns.map(({ name, type }) =>
      type.startsWith('AggregateFunction') ? `finalizeAggregation(${name}) AS ${name}` : name,
    );
    found[target] = await ask(
      `SELECT ${read.join(', ')} FROM ${target} FINAL WHERE ${where} ORDER BY ALL`,
      z.unknown(),
    );
  }
  return found;
}

beforeEach(async () => {
  for (const table of ['requests', ...(await targets())])
    await store.clickhouse.command(`TRUNCATE TABLE ${table}`);
  ids += 1;
  for (const [index, websiteId] of ['w1', 'w2'].entries())
    for (let day = 0; day < 4; day++)
      await insert(ids * 100 + index * 10 + day, websiteId, DAY + day * 86_400_000 - 3_000);
});

const allDays = (websiteId: string): Bucket[] =>
  ['2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((day) => ({ websiteId, day }));

describe('rollups rebuilt from the rows', () => {
  test('include every view over requests, with the tables that it fills', async () => {
    const views = await ask(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'",
      z.object({ name: z.string() }),
    );
    expect(views.length).toBeGreaterThan(10);
    expect(new Set(await targets()).size).toBe(views.length);
  });

  test('are unchanged if they were correct, also the second time', async () => {
    const before = await contents();
    for (let time = 0; time < 2; time++) {
      await rebuildRollups(store.clickhouse, [...allDays('w1'), ...allDays('w2')], options);
      expect(await contents()).toEqual(before);
    }
  });

  test('cost in proportion to the requested days: other days are not read', async () => {
    const counted: unknown[] = [];
    const clickhouse: ClickHouse = {
      ...store.clickhouse,
      async read(query) {
        const rows = await store.clickhouse.read(query);
        if (query.name === 'rebuild.rows') counted.push(...rows);
        return rows;
      },
    };
    await rebuildRollups(clickhouse, [{ websiteId: 'w1', day: '2026-10-30' }], options);
    expect(counted).toEqual([{ website_id: 'w1', day: '2026-10-30', rows: expect.any(Number) }]);
  });

  test('lose erased rows, only in the days of these rows', async () => {
    const other = await contents("website_id = 'w2'");
    const where = "website_id = {website: String} AND path = '/product-7/'";
    const buckets = await bucketsOf(store.clickhouse, where, { website: 'w1' });
    expect(buckets.length).toBeGreaterThan(0);
    await store.clickhouse.command(
      `ALTER TABLE requests DELETE WHERE ${where}`,
      { website: 'w1' },
      { mutations_sync: 2 },
    );
    await rebuildRollups(store.clickhouse, buckets, options);
    expect(await contents("website_id = 'w2'")).toEqual(other);
    const paths = await ask(
      "SELECT count() AS n FROM paths_per_hour WHERE website_id = 'w1' AND path = '/product-7/'",
      z.object({ n: z.number() }),
    );
    expect(paths).toEqual([{ n: 0 }]);
    expect((await contents("website_id = 'w1'")).estimates_per_day).toEqual(await estimatesOfRows('w1'));
  });

  test('count every row once after a crash between any two statements', {
    timeout: 300_000,
  }, async () => {
    const before = await contents();
    for (const limit of [1, 2, 3, 4, 8, 13]) {
      let left = limit;
      const cutOff = {
        ...store.clickhouse,
        async command(...call: Parameters<ClickHouse['command']>) {
          if (left-- <= 0) throw new Error('cut off');
          await store.clickhouse.command(...call);
        },
      };
      await expect(rebuildRollups(cutOff, allDays('w1'), options)).rejects.toThrow('cut off');
    }
    await rebuildRollups(store.clickhouse, allDays('w1'), options);
    expect(await contents()).toEqual(before);
  });

  test('gain missing rows and lose surplus rows', async () => {
    const before = await contents();
    await store.clickhouse.command(
      "ALTER TABLE traffic_per_hour DELETE WHERE website_id = 'w1' AND status = 200",
      {},
      { mutations_sync: 2 },
    );
    await store.clickhouse.command(
      `INSERT INTO paths_per_day (website_id, day, path, requests, expires)
SELECT 'w1', '2026-10-30', '/made-up', 5, '2030-01-01'`,
    );
    expect(await contents()).not.toEqual(before);
    await rebuildRollups(store.clickhouse, allDays('w1'), options);
    expect(await contents()).toEqual(before);
  });
});

function estimatesOfRows(websiteId: string): Promise<unknown[]> {
  return ask(
    `SELECT website_id, toDate(timestamp) AS day, is_bot, count() AS requests,
  quantilesBFloat16(0.5, 0.95, 0.99)(time_taken_ms) AS time_quantiles,
  uniqCombined64(14)(client_ip) AS client_ips, uniqCombined64(14)(path) AS paths,
  max(toDate(received_at) + retention_days) AS expires, toDate(received_at) + retention_days AS last_day
FROM requests WHERE website_id = '${websiteId}' GROUP BY website_id, day, is_bot, last_day ORDER BY ALL`,
    z.unknown(),
  );
}
