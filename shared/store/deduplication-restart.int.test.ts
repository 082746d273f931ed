import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findRollups } from '../../deploy/admin/rows/rollup-tables.js';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import { createLogger } from '../logging/log.js';
import { type ClickHouse, connectClickHouse } from './client.js';
import { migrate } from './migrate.js';

const logger = createLogger('silent', 'test');
let directory = '';
afterAll(() => rm(directory, { recursive: true, force: true }));

/** One run of the engine on the same directory. */
async function run<T>(work: (clickhouse: ClickHouse) => Promise<T>): Promise<T> {
  const engine = await startEmbeddedClickHouse({ directory, logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 1024 ** 3 });
  try {
    return await work(clickhouse);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

test('inserts of the run that migrated the engine are dropped in every table after a restart', {
  timeout: 120_000,
}, async () => {
  directory = await mkdtemp(join(tmpdir(), 'loglane-restart-'));
  // Rows for every kind of rollup: a refused bot, and a person.
  const rows = [
    storedRequest({ website_id: 'w', timestamp: Date.now() - 60_000, received_at: Date.now() }),
    storedRequest({
      website_id: 'w',
      timestamp: Date.now(),
      received_at: Date.now(),
      is_bot: true,
      status: 403,
    }),
  ];
  await run(async (clickhouse) => {
    await migrate(clickhouse, { logger });
    await insertStored(clickhouse, rows, { deduplicationToken: 'A' });
  });
  const figures = (clickhouse: ClickHouse) =>
    findRollups(clickhouse).then((rollups) =>
      Promise.all(
        rollups
          .flatMap(({ target, fed }) => [target, ...fed.map((one) => one.target)])
          .map(async (table) => [table, await countOf(clickhouse, table)] as const),
      ),
    );
  const before = await run(figures);
  expect(before.length).toBeGreaterThan(10);
  const after = await run(async (clickhouse) => {
    await insertStored(clickhouse, rows, { deduplicationToken: 'A' });
    return figures(clickhouse);
  });
  expect(after).toEqual(before);
});

async function countOf(clickhouse: ClickHouse, table: string): Promise<number> {
  const [row] = await clickhouse.read({
    name: 'test',
    sql: `SELECT toUInt32(sum(requests)) AS n FROM ${table}`,
    params: {},
    row: z.object({ n: z.number() }),
  });
  return row?.n ?? 0;
}
