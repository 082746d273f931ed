import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
import { isNightly } from '../../../test/harness/runs.js';
import { type EmbeddedClickHouse, EngineStartError, startEmbeddedClickHouse } from './start-engine.js';

const logger = pino({ level: 'silent' });
let directory: string;
let engine: EmbeddedClickHouse;
let clickhouse: ClickHouse;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-engine-'));
  engine = await startEmbeddedClickHouse({ directory, logger, maxRestartDelayMs: 100 });
  clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
});

afterEach(async () => {
  await clickhouse.close();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
});

const ask = async <Row>(sql: string, row: z.ZodType<Row>) =>
  (await clickhouse.read({ name: 'test', sql, row, params: {} }))[0] as Row;

/** Repeats a call while the engine is unavailable, as every caller of the store does. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await sleep(20);
    }
  }
}

function kill(): void {
  const pid = engine.pid();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

describe('the embedded engine', () => {
  test('restarts on the same address with its data after a kill', async () => {
    await clickhouse.command('CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a');
    await clickhouse.command('INSERT INTO kept VALUES (7)');
    const before = engine.pid();
    kill();
    const kept = await patiently(() => ask('SELECT a FROM kept', z.object({ a: z.number() })));
    expect(kept).toEqual({ a: 7 });
    expect(engine.pid()).not.toBe(before);
  });

  test.runIf(isNightly)(
    'has every batch once in the table and in every rollup after kills during inserts',
    {
      timeout: 180_000,
    },
    async () => {
      await migrate(clickhouse, { logger });
      const batches = 24;
      const rows = 3_000;
      for (let batch = 0; batch < batches; batch++) {
        const data = requestRows({ batch, rows });
        const insert = () =>
          clickhouse.insert({
            table: 'requests',
            columns: requestRowColumns,
            rows: data,
            deduplicationToken: `batch ${batch}`,
          });
        if (batch % 3 === 0) {
          // The kill happens between the first written part and the part of the last rollup.
          const killing = sleep(2 + ((batch * 7) % 50)).then(kill);
          await patiently(insert);
          await killing;
        }
        await patiently(insert);
      }
      const counts = await patiently(() =>
        ask(countsSql, z.record(z.string(), z.number()) as z.ZodType<Counts>),
      );
      expect(counts).toEqual(expectedCounts(batches * rows, counts));
    },
  );

  test('merges without column statistics, which no read needs', async () => {
    await clickhouse.command('CREATE TABLE merged (a UInt64, b String) ENGINE = MergeTree ORDER BY a');
    for (const a of [1, 2]) await clickhouse.command(`INSERT INTO merged SELECT ${a}, 'b'`);
    await clickhouse.command('OPTIMIZE TABLE merged FINAL');
    const files = (await readdir(directory, { recursive: true })).filter((file) =>
      file.includes('all_1_2_1'),
    );
    expect(files.some((file) => file.endsWith('data.bin'))).toBe(true);
    expect(files.filter((file) => file.includes('statistics'))).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('has a lower CPU priority than its parent', async () => {
    await clickhouse.command('CREATE TABLE some (a UInt64) ENGINE = MergeTree ORDER BY a');
    await clickhouse.command('INSERT INTO some VALUES (1)');
    const tasks = `/proc/${engine.pid()}/task`;
    const stats = await Promise.all(
      (await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/stat`, 'utf8')),
    );
    const threads = stats.map((stat) => {
      const [, name, fields] = /\((.*)\) (.*)/.exec(stat)!;
      return { name, niceness: Number(fields!.split(' ')[16]) };
    });
    // The engine sets the niceness of some threads itself, if it is allowed to.
    for (const name of ['loglane-clickho', 'MergeMutate']) {
      const own = threads.filter((thread) => thread.name === name).map(({ niceness }) => niceness);
      expect(new Set(own), name).toEqual(new Set([Math.min(getPriority() + 5, 19)]));
    }
  });

  test('refuses a directory in use by another engine, with a message of one line', async () => {
    const second = startEmbeddedClickHouse({ directory, logger });
    await expect(second).rejects.toThrow(EngineStartError);
    await expect(second).rejects.toThrow(/^the ClickHouse directory .* is in use by another process$/);
  });

  test('finishes running statements before it stops', async () => {
    await clickhouse.command('CREATE TABLE late (a UInt64) ENGINE = MergeTree ORDER BY a');
    const insert = clickhouse.command('INSERT INTO late SELECT sleep(1) + number FROM numbers(3)');
    insert.catch(() => {});
    await sleep(200);
    const url = engine.url;
    await engine.stop();
    await insert;
    expect(engine.pid()).toBeUndefined();
    engine = await startEmbeddedClickHouse({ directory, logger });
    expect(engine.url).not.toBe(url);
    await clickhouse.close();
    clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
    expect(await ask('SELECT count() AS n FROM late', z.object({ n: z.number() }))).toEqual({ n: 3 });
  });

  test('ends with its parent, even if the parent is killed', async () => {
    const orphaned = await mkdtemp(join(tmpdir(), 'loglane-orphan-'));
    const script = `import { startEmbeddedClickHouse } from ${JSON.stringify(new URL('./start-engine.ts', import.meta.url).href)};
      const logger = { info() {}, warn() {}, error() {} };
      const engine = await startEmbeddedClickHouse({ directory: ${JSON.stringify(orphaned)}, logger });
      console.log(engine.pid());`;
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(printed.toString());
    expect(isRunning(child)).toBe(true);
    parent.kill('SIGKILL');
    for (let waited = 0; isRunning(child) && waited < 5_000; waited += 20) await sleep(20);
    expect(isRunning(child)).toBe(false);
    const successor = await startEmbeddedClickHouse({ directory: orphaned, logger });
    await successor.stop();
    await rm(orphaned, { recursive: true, force: true });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
