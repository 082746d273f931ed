import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findRollups } from '../../deploy/admin/rows/rollup-tables.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';

/** A server with an unknown setting in its configuration does not start. The embedded engine has the version that the overlay names. */

const SETTINGS = 'deploy/kubernetes/overlays/small/clickhouse-tables.xml';
const ENGINE_SETTINGS = 'deploy/embedded/engine/engine.xml';
const GUIDE = 'docs/install.md';
const COMPRESSION = /<compression>.*?<\/compression>/s;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
}, 180_000);
afterAll(() => engine?.stop());

/** The section of codecs, without white space. */
function codecsOf(file: string): string {
  const found = COMPRESSION.exec(readFileSync(file, 'utf8'));
  expect(found, `${file} has codecs`).not.toBeNull();
  return found![0].replace(/\s+/g, '');
}

test('the engine accepts the table settings of compose and of the small overlay, and has the same ones', async () => {
  // Codecs are not table settings; they have their own test.
  const text = readFileSync(SETTINGS, 'utf8').replace(COMPRESSION, '');
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

test('servers, and the guide for other servers, have the codecs of the embedded engine', () => {
  const told = codecsOf(ENGINE_SETTINGS);
  expect(codecsOf(SETTINGS)).toBe(told);
  expect(codecsOf(GUIDE)).toBe(told);
});

test('the codec of requests and rollups depends on the size of the part', async () => {
  const rollups = await findRollups(engine.clickhouse);
  const tables = [
    'requests',
    ...rollups.flatMap(({ target, fed }) => [target, ...fed.map((rollup) => rollup.target)]),
  ];
  const fixed = await engine.clickhouse.read({
    name: 'test',
    sql: `SELECT table, name, compression_codec AS codec FROM system.columns
WHERE database = currentDatabase() AND has({tables: Array(String)}, table) AND match(compression_codec, 'ZSTD|LZ4')`,
    params: { tables },
    row: z.object({ table: z.string(), name: z.string(), codec: z.string() }),
  });
  expect(fixed).toEqual([]);
});

test('inserted parts have LZ4, and merged parts have ZSTD', async () => {
  for (const _ of ['first', 'second'])
    await engine.clickhouse.command(
      "INSERT INTO requests (website_id, timestamp, received_at, query) SELECT 'w', now(), now(), randomPrintableASCII(500) FROM numbers(2000)",
    );
  const codecs = () =>
    engine.clickhouse.read({
      name: 'test',
      sql: "SELECT default_compression_codec AS codec FROM system.parts WHERE database = currentDatabase() AND active AND table = 'requests'",
      params: {},
      row: z.object({ codec: z.string() }),
    });
  expect(await codecs()).toEqual([{ codec: 'LZ4' }, { codec: 'LZ4' }]);
  await engine.clickhouse.command('OPTIMIZE TABLE requests FINAL');
  expect(await codecs()).toEqual([{ codec: 'ZSTD(1)' }]);
});
