import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectClickHouse } from '../../shared/clickhouse/client.js';
import { startEmbeddedClickHouse } from '../../shared/clickhouse/embedded/start-engine.js';
import { createLogger } from '../../shared/log.js';
import { freePort, type Standalone, startStandalone } from '../harness/standalone.js';

const LINES_PER_UPLOAD = 100;
/** Uploads come at a rate that two slow cores can follow. */
const PAUSE_MS = 15;
const STREAM_MS = 2_500;
const LIVES = 5;

/** What the views of the other rollups leave out. */
const filters: Record<string, string> = {
  bots_per_hour: 'is_bot',
  bot_estimates_per_hour: 'is_bot',
  bot_rejections_per_hour: 'is_bot AND status IN (401, 403, 429, 451)',
  devices_per_hour: "traffic_class = 'human'",
};

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-kill-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('a program killed while uploads stream in', () => {
  test('has every answered row once, in the table and in every rollup', { timeout: 180_000 }, async () => {
    const ports = { apiPort: await freePort(), ingestPort: await freePort() };
    const answered: string[] = [];
    let uploads = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const program = await startStandalone({ dataDir, ...ports });
      const streaming = stream(program, () => `u${uploads++}`, answered);
      // Each life ends at another moment of the insert cycle (linger 400 ms).
      await sleep(STREAM_MS + life * 130);
      await program.kill();
      await streaming;
    }
    const program = await startStandalone({ dataDir, ...ports });
    await untilDrained(program, answered.length * LINES_PER_UPLOAD);
    expect(await program.stop()).toBe(0);

    expect(answered.length).toBeGreaterThan(LIVES);
    await expectEveryAnsweredRowOnce(new Set(answered));
  });
});

/** Four senders at once until the program is gone; notes the uploads that were answered with 200. */
async function stream(program: Standalone, nextUpload: () => string, answered: string[]): Promise<void> {
  const send = async () => {
    for (;;) {
      const upload = nextUpload();
      await sleep(PAUSE_MS);
      try {
        const response = await fetch(program.credentials.ingest_url, {
          method: 'POST',
          headers: { 'x-api-key': program.credentials.ingest_key },
          body: linesOf(upload),
        });
        if (response.status !== 200) continue;
        const answer = (await response.json()) as { accepted: number };
        expect(answer.accepted).toBe(LINES_PER_UPLOAD);
        answered.push(upload);
      } catch {
        return;
      }
    }
  };
  await Promise.all([send(), send(), send(), send()]);
}

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
];

function linesOf(upload: string): string {
  const now = Date.now();
  return Array.from({ length: LINES_PER_UPLOAD }, (_, i) =>
    JSON.stringify({
      timestamp: new Date(now - i * 1000).toISOString(),
      client_ip: `203.0.113.${i % 250}`,
      method: 'GET',
      path: `/p/${i % 50}`,
      status: [200, 200, 404, 403, 500][i % 5],
      bytes_sent: i,
      user_agent: agents[i % agents.length],
      request_id: `${upload}-${i}`,
    }),
  ).join('\n');
}

async function untilDrained(program: Standalone, rows: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const summary = (await program.get('/summary?hours=48')) as unknown as { total_requests: number };
    if (summary.total_requests >= rows) break;
    if (Date.now() > deadline) throw new Error(`${summary.total_requests} of ${rows} rows after 60 s`);
    await sleep(200);
  }
  // Unanswered uploads may still be on their way.
  await sleep(1_500);
}

async function expectEveryAnsweredRowOnce(answered: Set<string>): Promise<void> {
  const engine = await startEmbeddedClickHouse({
    directory: join(dataDir, 'clickhouse'),
    logger: createLogger('silent', 'test'),
  });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 1024 ** 3 });
  const figure = async (expression: string, from: string) =>
    (
      await clickhouse.read({
        name: 'test',
        sql: `SELECT toFloat64(${expression}) AS n FROM ${from}`,
        params: {},
        row: z.object({ n: z.number() }),
      })
    )[0]?.n;
  try {
    const uploads = await clickhouse.read({
      name: 'test',
      sql: `SELECT splitByChar('-', request_id)[1] AS upload, count() AS rows, uniqExact(request_id) AS ids FROM requests GROUP BY upload`,
      params: {},
      row: z.object({ upload: z.string(), rows: z.number(), ids: z.number() }),
    });
    expect(uploads.filter(({ rows, ids }) => rows !== ids)).toEqual([]);
    const stored = new Map(uploads.map(({ upload, rows }) => [upload, rows]));
    expect([...answered].filter((upload) => stored.get(upload) !== LINES_PER_UPLOAD)).toEqual([]);

    const rollups = await clickhouse.read({
      name: 'test',
      sql: `SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'requests' AND table NOT LIKE '%_mv'`,
      params: {},
      row: z.object({ table: z.string() }),
    });
    expect(rollups.length).toBeGreaterThan(10);
    for (const { table } of rollups) {
      const expected = await figure('count()', `requests WHERE ${filters[table] ?? 'true'}`);
      expect(expected).toBeGreaterThan(0);
      expect([table, await figure('sum(requests)', table)]).toEqual([table, expected]);
    }
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}
