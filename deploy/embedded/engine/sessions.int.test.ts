import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { ReadEndedError } from '../../../shared/store/store-errors.js';
import { SESSIONS } from './session-pool.js';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './start-engine.js';

let directory: string;
let engine: EmbeddedClickHouse;
let clickhouse: ClickHouse;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-sessions-'));
  engine = await startEmbeddedClickHouse({ directory, logger: pino({ level: 'silent' }) });
  clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8 });
});
afterAll(async () => {
  await clickhouse?.close();
  await engine?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Sends a statement in any format, as other clients do. */
function post(body: string, settings = ''): Promise<Response> {
  const { host, username, password } = new URL(engine.url);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return fetch(`http://${host}/?${settings}`, { method: 'POST', body, headers: { authorization } });
}

const FAILS_BEHIND_ROWS =
  "SELECT 'of another' AS secret, throwIf(number = 900000) FROM numbers(1000000) SETTINGS max_block_size = 1000";
/** Exceeds the number of sessions of each role. */
const ROUNDS = SESSIONS.reader + 1;

describe('rows of a failed statement are never in the answer of the next', () => {
  test.each([
    ['reads', 'JSONCompact', ''],
    ['scans', 'JSONEachRow', 'priority=2'],
  ])('in sessions for %s', async (_which, format, settings) => {
    for (let round = 0; round < ROUNDS; round++) {
      const failed = await post(`${FAILS_BEHIND_ROWS} FORMAT ${format}`, settings);
      await failed.text().catch(() => {});
      const next = await post('SELECT 1 AS mine FORMAT JSONEachRow', settings);
      expect(await next.text()).toBe('{"mine":1}\n');
    }
  });
});

describe('a statement whose caller has disconnected', () => {
  const endless = (signal: AbortSignal, sql: string) =>
    clickhouse.read({ name: 'endless', sql, params: {}, row: z.unknown(), timeoutMs: 120_000, signal });

  /** Counts running statements from a session for scans, since all sessions for reads may be busy. */
  async function running(): Promise<number> {
    const [row] = await clickhouse.read({
      name: 'running',
      sql: "SELECT count() AS n FROM system.processes WHERE query LIKE '%system.numbers%' AND query NOT LIKE '%processes%'",
      params: {},
      row: z.object({ n: z.number() }),
      scan: {},
    });
    return row?.n ?? 0;
  }

  async function runningIs(wanted: number): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; ) {
      const found = await running();
      if (found === wanted) return;
      if (Date.now() > deadline) expect(found).toBe(wanted);
      await sleep(50);
    }
  }

  test('is cancelled, and others get its session', async () => {
    const leaving = new AbortController();
    const calls = Array.from({ length: SESSIONS.reader + 2 }, () =>
      endless(leaving.signal, 'SELECT sum(cityHash64(number)) AS n FROM system.numbers').catch(
        (error: unknown) => error,
      ),
    );
    await runningIs(SESSIONS.reader);
    leaving.abort();
    for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(ReadEndedError);
    await runningIs(0);
    const rows = await clickhouse.read({ name: 'next', sql: 'SELECT 1 AS a', params: {}, row: z.unknown() });
    expect(rows).toEqual([{ a: 1 }]);
  });

  test('does not affect other statements with the same name', async () => {
    const [leaving, staying] = [new AbortController(), new AbortController()];
    const sql = 'SELECT sum(cityHash64(number)) AS n FROM system.numbers';
    const gone = endless(leaving.signal, sql).catch((error: unknown) => error);
    let stays = true;
    const other = endless(staying.signal, sql).catch((error: unknown) => {
      stays = false;
      return error;
    });
    await runningIs(2);
    leaving.abort();
    await gone;
    await runningIs(1);
    expect(stays).toBe(true);
    staying.abort();
    await other;
    await runningIs(0);
  });

  test('is never sent if the caller disconnected earlier', async () => {
    await expect(endless(AbortSignal.abort(), 'SELECT 1')).rejects.toBeInstanceOf(ReadEndedError);
  });
});

describe('the number of rows that the engine read', () => {
  test('is in the summary for formats with statistics, and differs from the rows of the answer', async () => {
    const summaryOf = async (format: string) => {
      const answer = await post(`SELECT sum(number) FROM numbers(1000) FORMAT ${format}`);
      await answer.text();
      return JSON.parse(answer.headers.get('x-clickhouse-summary') ?? '{}') as Record<string, string>;
    };
    expect(await summaryOf('JSONCompact')).toMatchObject({ read_rows: '1000', result_rows: '1' });
    expect(await summaryOf('TabSeparatedWithNames')).not.toHaveProperty('read_rows');
  });
});

test('a repeated text runs with its new parameters', async () => {
  const sql = 'SELECT {a: UInt8} AS a, {b: Array(String)} AS b, {a: UInt8} + 1 AS c';
  for (const a of [1, 2, 1]) {
    const params = { a, b: [`it's {a: UInt8} ${a}`] };
    const rows = await clickhouse.read({ name: 'test', sql, params, row: z.unknown() });
    expect(rows).toEqual([{ a, b: params.b, c: a + 1 }]);
  }
  const missing = clickhouse.read({ name: 'test', sql, params: { a: 1 }, row: z.unknown() });
  await expect(missing).rejects.toMatchObject({ code: '456' });
  const bad = clickhouse.read({ name: 'test', sql, params: { a: 256, b: [] }, row: z.unknown() });
  await expect(bad).rejects.toMatchObject({ code: '457' });
});
