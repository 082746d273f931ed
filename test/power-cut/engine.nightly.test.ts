import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { syncFileSystem } from '../../deploy/standalone/sync-file-system.js';
import { createLogger } from '../../shared/logging/log.js';
import { type ClickHouse, connectClickHouse } from '../../shared/store/client.js';
import { type CuttableDisk, createCuttableDisk } from '../harness/cuttable-disk.js';

const logger = createLogger('silent', 'test');
let disk: CuttableDisk | null;

beforeAll(async () => {
  disk = await createCuttableDisk();
});
afterAll(() => disk?.remove());

async function withEngine<T>(directory: string, work: (clickhouse: ClickHouse) => Promise<T>): Promise<T> {
  const engine = await startEmbeddedClickHouse({ directory, logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
  try {
    return await work(clickhouse);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

async function count(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.read({
    name: 'test',
    sql: 'SELECT count() AS n FROM kept',
    params: {},
    row: z.object({ n: z.number() }),
  });
  return row!.n;
}

const PARTS = 20;

/** Merged parts are removed in the background. */
async function untilGone(directory: string, part: string): Promise<void> {
  await expect
    .poll(
      async () => (await readdir(directory, { recursive: true })).filter((file) => file.endsWith(`/${part}`)),
      {
        timeout: 30_000,
      },
    )
    .toEqual([]);
}

describe('the embedded engine on a disk that loses its power', () => {
  test.each([
    ['a merge', 'OPTIMIZE TABLE kept FINAL'],
    ['a rewrite', 'ALTER TABLE kept DELETE WHERE a % 2 = 1'],
  ])('keeps every row that was on the disk before %s', { timeout: 120_000 }, async (name, statement) => {
    if (disk === null) return;
    const directory = join(disk.directory, name.replace(' ', '-'));
    await withEngine(directory, async (clickhouse) => {
      await clickhouse.command(`CREATE TABLE kept (a UInt64, b String) ENGINE = MergeTree ORDER BY a
        SETTINGS cleanup_delay_period = 1, max_cleanup_delay_period = 1, cleanup_delay_period_random_add = 0`);
      for (let part = 0; part < PARTS; part += 1)
        await clickhouse.command(
          `INSERT INTO kept SELECT number + 1, repeat('b', 100) FROM numbers(${part * 1_000}, 1000)`,
        );
      await syncFileSystem(directory);
      await clickhouse.command(statement, {}, { mutations_sync: 2 });
      await untilGone(directory, 'all_1_1_0');
      // As each append to the log does: the journal goes to the disk, and with it that files are gone.
      await writeFile(join(disk!.directory, 'log'), name, { flush: true });
      await disk!.cut();
    });
    await disk.restore();
    const rows = await withEngine(directory, count);
    expect(rows).toBe(name === 'a merge' ? PARTS * 1_000 : PARTS * 500);
  });

  test('opens a table of hundreds of parts that never reached the disk', { timeout: 120_000 }, async () => {
    if (disk === null) return;
    const directory = join(disk.directory, 'backfill');
    await withEngine(directory, async (clickhouse) => {
      await clickhouse.command('CREATE TABLE kept (a UInt64) ENGINE = MergeTree PARTITION BY a ORDER BY a');
      await clickhouse.command(
        'INSERT INTO kept SELECT number FROM numbers(300)',
        {},
        { max_partitions_per_insert_block: 0 },
      );
      expect(await count(clickhouse)).toBe(300);
    });
    const files = await readdir(directory, { recursive: true });
    const data = files.filter((file) => /\/\d+_\d+_\d+_0\/data\.bin$/.test(file));
    expect(data.length).toBeGreaterThanOrEqual(300);
    for (const file of data) await truncate(join(directory, file), 0);
    expect(await withEngine(directory, count)).toBe(0);
  });
});
