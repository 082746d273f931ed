import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import { MigrationError, migrate, OWN_DIRECTORY } from './migrate.js';
import { pendingMigrations } from './pending-migrations.js';

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
  test('applies every statement of every file once, in the order of the names', async () => {
    await mkdir(join(directory, '9001_first/tables'), { recursive: true });
    await writeFile(
      join(directory, '9001_first/tables/m.sql'),
      'CREATE TABLE IF NOT EXISTS m (a UInt8) ENGINE = MergeTree ORDER BY a;\n-- and\nINSERT INTO m VALUES (1);\n',
    );
    await writeFile(
      join(directory, '9002_second.sql'),
      'ALTER TABLE m ADD COLUMN IF NOT EXISTS b UInt8 DEFAULT a + 1;\n',
    );
    await writeFile(join(directory, 'notes.sql'), 'no migration');
    expect(await run()).toEqual(['9001_first/tables/m.sql', '9002_second.sql']);
    expect(await run()).toEqual([]);
    const rows = await store.clickhouse.read({
      name: 'test',
      sql: 'SELECT a, b FROM m',
      params: {},
      row: z.object({ a: z.number(), b: z.number() }),
    });
    expect(rows).toEqual([{ a: 1, b: 2 }]);
  });

  test('refuses an applied file that was edited, before any change', async () => {
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

  test('applies a second migration over the baseline, and keeps stored data', async () => {
    const release = await mkdtemp(join(tmpdir(), 'loglane-migrations-'));
    await cp(OWN_DIRECTORY, release, { recursive: true });
    await writeFile(
      join(release, '0002_device_model.sql'),
      `ALTER TABLE requests ADD COLUMN IF NOT EXISTS device_model LowCardinality(String);
CREATE TABLE IF NOT EXISTS models (model String) ENGINE = MergeTree ORDER BY model;
`,
    );
    const upgraded = await startTestClickHouse();
    try {
      await insertStored(
        upgraded.clickhouse,
        [storedRequest({ website_id: 'w', timestamp: Date.now(), path: '/kept' })],
        {
          deduplicationToken: 'before',
        },
      );
      expect(await migrate(upgraded.clickhouse, { directory: release, logger })).toEqual([
        '0002_device_model.sql',
      ]);
      await upgraded.clickhouse.command("INSERT INTO models VALUES ('m')");
      const rows = await upgraded.clickhouse.read({
        name: 'test',
        sql: 'SELECT path, device_model, (SELECT count() FROM models) AS models FROM requests',
        params: {},
        row: z.object({ path: z.string(), device_model: z.string(), models: z.number() }),
      });
      expect(rows).toEqual([{ path: '/kept', device_model: '', models: 1 }]);
      expect(await pendingMigrations(upgraded.clickhouse)).toEqual([]);
    } finally {
      await upgraded.stop();
      await rm(release, { recursive: true });
    }
  });

  test('rows of every table expire by age, except crawls, state and texts of people', async () => {
    const kept = await store.clickhouse.read({
      name: 'test',
      sql: `SELECT name FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND engine_full NOT LIKE '% TTL %' ORDER BY name`,
      params: {},
      row: z.object({ name: z.string() }),
    });
    // `m` belongs to the tests above.
    expect(kept.map(({ name }) => name).filter((name) => name !== 'm')).toEqual([
      'api_key_uses',
      'control_snapshots',
      // A newer crawl deletes the rows of the older one.
      'crawl_findings',
      'crawl_links',
      'crawl_pages',
      'crawl_ranks',
      'schema_migrations',
      'site_events',
    ]);
  });

  test('two concurrent processes leave one schema and one record of each file', async () => {
    await store.clickhouse.command('TRUNCATE TABLE schema_migrations');
    const own = () => migrate(store.clickhouse, { logger });
    const [one, two] = await Promise.all([own(), own()]);
    expect(new Set([...one, ...two]).size).toBeGreaterThan(10);
    expect(await own()).toEqual([]);
  });
});
