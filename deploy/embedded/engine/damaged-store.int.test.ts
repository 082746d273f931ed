import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DAY_MS } from '../../../shared/durations.js';
import { type ClickHouse, connectClickHouse } from '../../../shared/store/client.js';
import { MigrationError, migrate } from '../../../shared/store/migrate.js';
import { StoreDamagedError } from '../../../shared/store/store-errors.js';
import { insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { readBrokenParts } from './broken-parts.js';
import { EngineStartError, startEmbeddedClickHouse } from './start-engine.js';

/** Truncated, changed and missing files of the store, while the program runs and before it starts. */

const silent = pino({ level: 'silent' });
const OLD = Date.UTC(2026, 9, 19, 10);
const NEW = OLD + 30 * DAY_MS;

let home: string;
let directory: string;
let error: ReturnType<typeof vi.fn<(fields: object, message: string) => void>>;
const ending: (() => Promise<void>)[] = [];

async function open(): Promise<ClickHouse> {
  const engine = await startEmbeddedClickHouse({ directory, logger: silent });
  error = vi.fn();
  const logger = { error } as unknown as typeof silent;
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 5e8, logger });
  ending.push(async () => {
    await clickhouse.close();
    await engine.stop();
  });
  await migrate(clickhouse, { logger: silent });
  return clickhouse;
}

const close = async () => void (await Promise.all(ending.splice(0).map((end) => end())));

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'loglane-damage-'));
  directory = join(home, 'whole');
  const clickhouse = await open();
  for (const [log_offset, timestamp] of [OLD, NEW].entries()) {
    const rows = Array.from({ length: 500 }, (_, log_index) => {
      const path = `/p${log_index}`;
      return { ...storedRequest({ website_id: 'w', timestamp, path }), log_offset, log_index };
    });
    await insertStored(clickhouse, rows, { deduplicationToken: `day ${timestamp}` });
  }
  await close();
}, 60_000);
afterAll(() => rm(home, { recursive: true, force: true }));

let copies = 0;
async function copy(): Promise<void> {
  directory = join(home, `copy-${copies++}`);
  await cp(join(home, 'whole'), directory, { recursive: true, verbatimSymlinks: true });
}
afterEach(close);

const tableFolder = (table: string) => {
  const text = readFileSync(join(directory, 'metadata/default', `${table}.sql`), 'utf8');
  const id = /UUID '([^']+)'/.exec(text)![1]!;
  return join(directory, 'store', id.slice(0, 3), id);
};
/** Path of the part with the old day. */
const oldPart = (table = 'requests') =>
  join(tableFolder(table), readdirSync(tableFolder(table)).find((name) => name.startsWith('202610'))!);
const marksOf = (part: string) => join(part, readdirSync(part).find((name) => /^data\.c?mrk/.test(name))!);

const cut = (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2));
const flip = (file: string) =>
  writeFileSync(
    file,
    readFileSync(file).map((byte) => byte ^ 0xff),
  );

const count = (clickhouse: ClickHouse, from: number) =>
  clickhouse.read({
    name: 'test',
    sql: `SELECT uniqExact(path) AS paths, max(user_agent) AS agent, max(log_index) AS last FROM requests
WHERE website_id = 'w' AND timestamp >= {from: DateTime} AND timestamp < {from: DateTime} + 86400`,
    params: { from: new Date(from) },
    row: z.object({ paths: z.number(), agent: z.string(), last: z.number() }),
  });

describe('a read of a part that is damaged while the engine runs', () => {
  test.each<[string, () => void]>([
    ['with truncated rows', () => cut(join(oldPart(), 'data.bin'))],
    ['with changed rows', () => flip(join(oldPart(), 'data.bin'))],
    ['with truncated marks', () => cut(marksOf(oldPart()))],
    ['with changed marks', () => flip(marksOf(oldPart()))],
  ])('%s fails with its day, which is logged once, and other days are read', async (_, damage) => {
    await copy();
    const clickhouse = await open();
    damage();
    for (let reads = 0; reads < 3; reads += 1) {
      const failure = await count(clickhouse, OLD).catch((caught: unknown) => caught);
      expect(failure).toBeInstanceOf(StoreDamagedError);
      expect(failure).toMatchObject({ days: '2026-10-19' });
    }
    expect(await count(clickhouse, NEW)).toMatchObject([{ paths: 500, last: 499 }]);
    expect(error).toHaveBeenCalledTimes(1);
    expect(error.mock.lastCall?.[0]).toMatchObject({ table: 'requests', days: '2026-10-19' });
  });
});

test.each<[string, () => void]>([
  ['with truncated rows', () => cut(join(oldPart(), 'data.bin'))],
  ['with truncated columns', () => cut(join(oldPart(), 'columns.txt'))],
  ['of a truncated rollup by hour', () => cut(join(oldPart('traffic_per_hour'), 'data.bin'))],
  ['of a truncated rollup by day', () => cut(join(oldPart('paths_per_day'), 'data.bin'))],
])('a part %s is found at the start with its day', async (_, damage) => {
  await copy();
  damage();
  const clickhouse = await open();
  expect(await readBrokenParts(clickhouse)).toEqual([
    {
      table: expect.stringMatching(/^(requests|traffic_per_hour|paths_per_day)$/),
      days: '2026-10-19',
      path: expect.stringContaining('/detached/broken'),
    },
  ]);
});

describe('a start is refused with a message that names the damage', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'without metadata',
      () => rm(join(directory, 'metadata'), { recursive: true }),
      /metadata\/default is missing/,
    ],
    ['without the store', () => rm(join(directory, 'store'), { recursive: true }), /store is missing/],
    [
      'if the statement of a table is truncated',
      () => cut(join(directory, 'metadata/default/requests.sql')),
      /requests\.sql/,
    ],
    [
      'if the folder of a table is missing',
      () => rm(tableFolder('traffic_per_hour'), { recursive: true }),
      /\(table traffic_per_hour\) is missing/,
    ],
  ])('%s', async (_, damage, message) => {
    await copy();
    await damage();
    const refused = open();
    await expect(refused).rejects.toThrow(EngineStartError);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow('Restore an intact copy');
  });

  test('if a table of an applied migration is missing', async () => {
    await copy();
    await rm(join(await realpath(join(directory, 'metadata/default')), 'requests.sql'));
    const refused = open();
    await expect(refused).rejects.toThrow(MigrationError);
    await expect(refused).rejects.toThrow('the store has lost tables: requests.');
  });
});
