import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';

/** A server that does not know a setting of its configuration does not start. The embedded engine is of the version that the overlay names. */

const SETTINGS = 'deploy/kubernetes/overlays/small/clickhouse-tables.xml';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

test('the engine knows what the servers of compose and of the small overlay are told of tables, and is told the same', async () => {
  const text = readFileSync(SETTINGS, 'utf8');
  const told = [...text.matchAll(/<(\w+)>([^<\n]*)<\/\w+>/g)].map(([, name, value]) => ({ name, value }));
  expect(told.length).toBeGreaterThan(0);
  const known = await engine.clickhouse.read({
    name: 'test',
    sql: 'SELECT name, value FROM system.merge_tree_settings WHERE has({names: Array(String)}, name) ORDER BY indexOf({names: Array(String)}, name)',
    params: { names: told.map(({ name }) => name!) },
    row: z.object({ name: z.string(), value: z.string() }),
  });
  expect(known).toEqual(told);
});
