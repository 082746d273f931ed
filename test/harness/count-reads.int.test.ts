import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from './clickhouse.js';
import { countReads } from './count-reads.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
  await store.clickhouse.command('CREATE TABLE counted (a UInt64) ENGINE = MergeTree ORDER BY a');
  await store.clickhouse.command('INSERT INTO counted SELECT number FROM numbers(1000)');
});
afterAll(() => store?.stop());

test('statements and the rows that the engine reads are counted by name, not the rows of the answer', async () => {
  const { reader, byName, total, reset } = countReads(store.clickhouse);
  const ask = (name: string, sql: string) => reader.read({ name, sql, params: {}, row: z.unknown() });
  await ask('all', 'SELECT sum(a) AS s FROM counted');
  await ask('all', 'SELECT sum(a) AS s FROM counted');
  await ask('twice', 'SELECT sum(a) AS s FROM counted UNION ALL SELECT sum(a + 1) FROM counted');
  await ask('none', 'SELECT a FROM counted WHERE 0').catch(() => {});
  expect(byName().get('all')).toEqual({ statements: 2, rowsRead: 2_000 });
  expect(byName().get('twice')).toEqual({ statements: 1, rowsRead: 2_000 });
  expect(byName().get('none')).toEqual({ statements: 1, rowsRead: 0 });
  expect(total()).toEqual({ statements: 4, rowsRead: 4_000 });
  reset();
  expect(total()).toEqual({ statements: 0, rowsRead: 0 });
});
