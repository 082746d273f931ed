import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { MigrationError, migrate } from './migrate.js';

const logger = pino({ level: 'silent' });
let store: TestClickHouse;
let directory: string;

beforeAll(async () => {
  store = await startTestClickHouse();
  directory = await mkdtemp(join(tmpdir(), 'loglane-migrations-'));
});
afterAll(async () => {
  await store?.stop();
  await rm(directory, { recursive: true, force: true });
});

const run = () => migrate(store.clickhouse, { directory, logger });

describe('migrate', () => {
  test('applies every statement of every file once, in the order of the numbers', async () => {
    await writeFile(
      join(directory, '9001_first.sql'),
      'CREATE TABLE IF NOT EXISTS m (a UInt8) ENGINE = MergeTree ORDER BY a;\n-- and\nINSERT INTO m VALUES (1);\n',
    );
    await writeFile(
      join(directory, '9002_second.sql'),
      'ALTER TABLE m ADD COLUMN IF NOT EXISTS b UInt8 DEFAULT a + 1;\n',
    );
    await writeFile(join(directory, 'notes.sql'), 'no migration');
    expect(await run()).toEqual(['9001_first.sql', '9002_second.sql']);
    expect(await run()).toEqual([]);
    const rows = await store.clickhouse.read({
      name: 'test',
      sql: 'SELECT a, b FROM m',
      params: {},
      row: z.object({ a: z.number(), b: z.number() }),
    });
    expect(rows).toEqual([{ a: 1, b: 2 }]);
  });

  test('refuses an applied file that was edited, before it changes anything', async () => {
    await writeFile(join(directory, '9002_second.sql'), 'ALTER TABLE m DROP COLUMN b;\n');
    await writeFile(join(directory, '9003_third.sql'), 'DROP TABLE m;\n');
    await expect(run()).rejects.toThrow(MigrationError);
    await expect(run()).rejects.toThrow(/9002_second\.sql/);
    const exists = await store.clickhouse.read({
      name: 'test',
      sql: 'EXISTS TABLE m',
      params: {},
      row: z.object({ result: z.number() }),
    });
    expect(exists).toEqual([{ result: 1 }]);
  });

  test('syncs what was copied before the table that it comes from goes', async () => {
    const own = await mkdtemp(join(tmpdir(), 'loglane-migrations-'));
    await writeFile(
      join(own, '9010_copy.sql'),
      `CREATE TABLE IF NOT EXISTS c (a UInt8) ENGINE = MergeTree ORDER BY a;
INSERT INTO c SELECT a FROM m;
-- The copy has its rows.
DROP TABLE IF EXISTS m SYNC;
`,
    );
    const seen: number[] = [];
    async function sync() {
      const [row] = await store.clickhouse.read({
        name: 'test',
        sql: 'SELECT (SELECT count() FROM m) + 10 * (SELECT count() FROM c) AS n',
        params: {},
        row: z.object({ n: z.number() }),
      });
      seen.push(row!.n);
    }
    await migrate(store.clickhouse, { directory: own, sync, logger });
    await rm(own, { recursive: true });
    expect(seen).toEqual([11]);
  });

  test('every table lets its rows go by their age, but for crawls, and those that hold state or what people wrote', async () => {
    const kept = await store.clickhouse.read({
      name: 'test',
      sql: `SELECT name FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND engine_full NOT LIKE '% TTL %' ORDER BY name`,
      params: {},
      row: z.object({ name: z.string() }),
    });
    // `c` is of the test above.
    expect(kept.map(({ name }) => name).filter((name) => name !== 'c')).toEqual([
      'api_key_uses',
      'control_snapshots',
      // Newer crawls take the place of older ones, whose rows are deleted then.
      'crawl_findings',
      'crawl_links',
      'crawl_pages',
      'crawl_ranks',
      'schema_migrations',
      'site_events',
    ]);
  });

  test('an attempt waits while another works, and no longer than a killed one may have worked', async () => {
    const fresh = await startTestClickHouse();
    const sign = (age: string, number: number, works: boolean) =>
      fresh.clickhouse.command(
        `INSERT INTO migration_attempts SELECT 'other', ${number}, now64(3, 'UTC') - INTERVAL ${age}, ${works}`,
      );
    try {
      await fresh.clickhouse.command('TRUNCATE TABLE schema_migrations');
      await sign('1 SECOND', 1, true);
      let ended = false;
      const migrating = migrate(fresh.clickhouse, { logger }).finally(() => {
        ended = true;
      });
      await sleep(4_000);
      expect(ended).toBe(false);
      await sign('0 SECOND', 2, false);
      expect((await migrating).length).toBeGreaterThan(30);
      await fresh.clickhouse.command('TRUNCATE TABLE schema_migrations');
      await fresh.clickhouse.command('TRUNCATE TABLE migration_attempts');
      await sign('61 SECOND', 3, true);
      expect((await migrate(fresh.clickhouse, { logger })).length).toBeGreaterThan(30);
    } finally {
      await fresh.stop();
    }
  });

  test('two at once leave one schema and one record of each', async () => {
    const own = { logger };
    const fresh = await startTestClickHouse();
    try {
      await fresh.clickhouse.command('TRUNCATE TABLE schema_migrations');
      const [one, two] = await Promise.all([migrate(fresh.clickhouse, own), migrate(fresh.clickhouse, own)]);
      // The one that waited found everything done.
      const [all, none] = one.length > 0 ? [one, two] : [two, one];
      expect(all.length).toBeGreaterThan(30);
      expect(none).toEqual([]);
      expect(await migrate(fresh.clickhouse, own)).toEqual([]);
    } finally {
      await fresh.stop();
    }
  });
});
