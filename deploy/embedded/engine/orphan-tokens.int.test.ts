import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { migrate } from '../../../shared/store/migrate.js';
import { StoreUnavailableError } from '../../../shared/store/store-errors.js';
import {
  type Counts,
  countsSql,
  expectedCounts,
  requestRowColumns,
  requestRows,
} from '../../../test/harness/request-rows.js';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

/**
 * Simulates a crash of the engine between the token of an insert and its part, without a kill at an exact system call. Either
 * the part is moved away, which leaves the same files, or its name is taken, so the engine fails at this point.
 */

const logger = pino({ level: 'silent' });
const ROWS = 600;
let directory: string;
let engine: EmbeddedClickHouse;
let clickhouse: ClickHouse;

async function start(): Promise<void> {
  engine = await startEmbeddedClickHouse({ directory, logger, maxRestartDelayMs: 100 });
  clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
}

async function stop(): Promise<void> {
  await clickhouse.close();
  await engine.stop();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-orphans-'));
  await start();
  await migrate(clickhouse, { logger });
}, 120_000);

afterAll(async () => {
  await stop();
  await rm(directory, { recursive: true, force: true });
});

const insert = (batch: number) =>
  clickhouse.insert({
    table: 'requests',
    columns: requestRowColumns,
    rows: requestRows({ batch, rows: ROWS }),
    deduplicationToken: `batch ${batch}`,
  });

/** Expects all batches from 0 to this one exactly once, in the table and in every rollup. */
async function expectBatchesTo(batch: number): Promise<void> {
  const [counts] = await clickhouse.read({
    name: 'test',
    sql: countsSql,
    params: {},
    row: z.record(z.string(), z.number()) as z.ZodType<Counts>,
  });
  // The expected values of rollups are computed from the table, so the table must have every row.
  expect(counts).toEqual(expectedCounts((batch + 1) * ROWS, counts as Counts));
}

/** Directories of `requests` and of all tables that its views fill. */
async function tablePaths(): Promise<ReadonlyMap<string, string>> {
  const rows = await clickhouse.read({
    name: 'test',
    sql: `SELECT name, data_paths[1] AS path FROM system.tables
          WHERE database = currentDatabase() AND total_rows > 0 AND (name = 'requests' OR name LIKE '%_per_hour' OR name LIKE '%_per_day')`,
    params: {},
    row: z.object({ name: z.string(), path: z.string() }),
  });
  return new Map(rows.map(({ name, path }) => [name, path]));
}

const logOf = async (path: string) =>
  (await readFile(join(path, 'deduplication_logs', 'deduplication_log_1.txt'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [operation, part = ''] = line.split('\t');
      return { operation, part };
    });

let next = 0;

test.each([
  ['requests', (name: string) => name === 'requests', 1],
  ['every rollup', (name: string) => name !== 'requests', 11],
])(
  'a repeat stores an insert that was killed between its token and its part: in %s',
  {
    timeout: 120_000,
  },
  async (_, isTorn, atLeast) => {
    const [before, torn, after] = [next++, next++, next++];
    await insert(before);
    await insert(torn);
    const paths = [...(await tablePaths())].filter(([name]) => isTorn(name)).map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(atLeast);
    await stop();
    for (const path of paths) {
      const { operation, part } = (await logOf(path)).at(-1)!;
      expect(operation).toBe('1');
      // A few parts are still unmerged.
      await rename(join(path, part), join(path, `tmp_insert_${part}`));
    }
    await start();
    await insert(torn);
    await insert(before);
    await expectBatchesTo(torn);
    // New parts may get the numbers of the removed ones.
    await insert(after);
    await insert(after);
    await expectBatchesTo(after);
  },
);

test('a repeat stores an insert that failed between its token and its part in a running engine', {
  timeout: 120_000,
}, async () => {
  const [before, failing] = [next++, next++];
  await insert(before);
  const path = (await tablePaths()).get('requests')!;
  const { part } = (await logOf(path)).at(-1)!;
  const [month, number] = part.split('_');
  const taken = Array.from({ length: 8 }, (_, index) => Number(number) + 1 + index).map(
    (block) => `${month}_${block}_${block}_0`,
  );
  // A directory can't be renamed to the name of a file.
  for (const name of taken) await writeFile(join(path, name), '');
  const pid = engine.pid();
  await expect(insert(failing)).rejects.toThrow(StoreUnavailableError);
  for (const name of taken) await rm(join(path, name));
  await patiently(() => insert(failing));
  expect(engine.pid()).not.toBe(pid);
  await insert(before);
  await expectBatchesTo(failing);
  // Verifies the order of token and part. If an engine changes it, the effects of a crash must be examined again.
  const ofTaken = (await logOf(path)).filter((line) => taken.includes(line.part));
  expect(ofTaken.slice(0, 2)).toEqual([
    { operation: '1', part: ofTaken[0]!.part },
    { operation: '2', part: ofTaken[0]!.part },
  ]);
});

test('an insert that failed because of its rows does not end the engine', async () => {
  const pid = engine.pid();
  const broken = clickhouse.insert({
    table: 'requests',
    columns: ['timestamp'],
    rows: Buffer.from('no time\n'),
    deduplicationToken: 'broken',
  });
  await expect(broken).rejects.not.toThrow(StoreUnavailableError);
  await insert(next);
  expect(engine.pid()).toBe(pid);
});

async function patiently(call: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await sleep(20);
    }
  }
}
