import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse, type ScanOptions } from '../../../shared/store/client.js';
import { StoreUnavailableError } from '../../../shared/store/store-errors.js';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

/** Reads that the engine cannot interrupt: one block of long texts with a regex that compiles to a long program. */

const HOSTILE = '[ab]a[ab]{900}c';

let directory: string;
let engine: EmbeddedClickHouse;
let clickhouse: ClickHouse;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-overrun-'));
  engine = await startEmbeddedClickHouse({
    directory,
    logger: pino({ level: 'silent' }),
    maxRestartDelayMs: 100,
    readGraceMs: 4_000,
  });
  clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8, graceMs: 60_000 });
  await clickhouse.command('CREATE TABLE paths (path String) ENGINE = MergeTree ORDER BY tuple()');
  await clickhouse.command(
    `INSERT INTO paths SELECT arrayStringConcat(arrayMap(i -> if(bitTest(sipHash64(number, i), 3), 'a', 'b'), range(8000))) || 'c' FROM numbers(1000)`,
  );
});
afterAll(async () => {
  await clickhouse?.close();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

const ask = (sql: string, scan?: ScanOptions) =>
  clickhouse.read({
    name: 'test',
    sql,
    params: {},
    row: z.record(z.string(), z.unknown()),
    timeoutMs: 1_000,
    ...(scan === undefined ? {} : { scan }),
  });

const stuck = () => ask(`SELECT countIf(match(path, '${HOSTILE}')) AS n FROM paths`, {});
const settled = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe('a scan that the engine cannot interrupt', () => {
  it.each([
    ['in its rows', `SELECT countIf(match(path, '${HOSTILE}')) AS n FROM paths`],
    // The engine computes the set of IN before it starts to stream.
    [
      'in a subquery',
      `SELECT count() AS n FROM paths WHERE path IN (SELECT path FROM paths WHERE match(path, '${HOSTILE}'))`,
    ],
  ])('does not block the sessions for other reads: %s', async (_where, sql) => {
    await patiently(() => ask('SELECT 1 AS one'));
    let ended = 0;
    const scans = [1, 2, 3, 4, 5, 6].map(() => settled(ask(sql, {})).finally(() => ended++));
    const answered = await Promise.all(Array.from({ length: 8 }, () => ask('SELECT 1 AS one')));
    expect(answered.flat()).toHaveLength(8);
    expect(await clickhouse.ping()).toBe(true);
    // In parallel with them, not after them.
    expect(ended).toBe(0);
    await Promise.all(scans);
  });

  it('ends the engine when it far exceeds its limit; the engine restarts with its rows', async () => {
    await patiently(() => ask('SELECT 1 AS one'));
    const before = engine.pid();
    expect(await settled(stuck())).toBeInstanceOf(StoreUnavailableError);
    expect(await patiently(() => ask('SELECT count() AS rows FROM paths'))).toEqual([{ rows: 1000 }]);
    expect(engine.pid()).not.toBe(before);
  });
});

async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await sleep(50);
    }
  }
}
