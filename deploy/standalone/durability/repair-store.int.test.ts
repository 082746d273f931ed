import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { requestRowColumns, requestRows } from '../../../test/harness/request-rows.js';
import { repairStore } from './repair-store.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store?.stop());

const ask = (sql: string) =>
  store.clickhouse.read({ name: 'test', sql, params: {}, row: z.record(z.string(), z.unknown()) });

test('a failing deletion of an erasure does not block the repair of the store', async () => {
  for (const batch of [8, 9])
    await store.clickhouse.insert({
      table: 'requests',
      columns: requestRowColumns,
      // The batch number is also the rows' offset in the log.
      rows: requestRows({ batch, rows: 20, websiteId: `w${batch}`, start: Date.UTC(2026, batch, 1) }),
      deduplicationToken: `batch ${batch}`,
    });
  await store.clickhouse.command(
    "ALTER TABLE requests DELETE WHERE website_id = 'w8' AND throwIf(website_id = 'w8', 'not the repair') = 0",
    {},
    { mutations_sync: 0 },
  );
  await repairStore(
    store.clickhouse,
    [{ partition: 0, from: 9, to: 10 }],
    { buckets: [{ websiteId: 'w9', day: '2026-10-01' }], receivedFrom: 0 },
    { newId: () => 'attempt', logger: pino({ level: 'silent' }) },
  );
  expect(await ask('SELECT website_id, count() AS rows FROM requests GROUP BY website_id')).toEqual([
    { website_id: 'w8', rows: 20 },
  ]);
  expect(
    await ask(
      "SELECT command FROM system.mutations WHERE database = currentDatabase() AND table = 'requests' AND NOT is_done",
    ),
  ).toEqual([]);
});
