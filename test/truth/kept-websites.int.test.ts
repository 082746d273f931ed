import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataVersions } from '../../services/api/answer-cache/data-versions.js';
import { createHoursKeeper } from '../../services/api/kept-hours/keep-hours.js';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { bots } from '../../shared/reads/bots/bots.js';
import { ips } from '../../shared/reads/traffic/ips.js';
import { summary } from '../../shared/reads/traffic/summary.js';
import { paths } from '../../shared/reads/urls/paths.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { AnswerTooLongError } from '../../shared/store/store-errors.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { insertStored } from '../harness/stored-requests.js';
import { NOW, randomRequests } from './random-requests.js';

/** Concurrent reads of many websites from rows in memory (services/api/kept-hours), while the rows change. */

/** The last one has too many rows for the answer of a statement. */
const websites = Array.from({ length: 8 }, (_, index) => `shop-${index}`);
const LARGE = websites.at(-1)!;
const MOST_BYTES = 40_000;
const LATE = 20;

const rowsOf = new Map(
  websites.map((name, seed) => [
    name,
    randomRequests(name, name === LARGE ? 2_000 : 150, seed).map((row, index) => ({
      ...row,
      received_at: NOW,
      // All websites change the current hour.
      timestamp: index < LATE ? NOW - 1 : row.timestamp,
    })),
  ]),
);

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  for (const [name, rows] of rowsOf) await insert(name, rows.slice(LATE));
}, 120_000);
afterAll(() => engine?.stop());

const insert = (name: string, rows: Parameters<typeof insertStored>[1], token = 'first') =>
  insertStored(engine.clickhouse, rows, { deduplicationToken: `${name}-${token}`, retentionDays: 25_000 });

const answers = { summary, bots, paths, ips };

const end = Math.ceil(NOW / MINUTE_MS) * MINUTE_MS;
const window = { start: end - 168 * HOUR_MS, end, running: true };

const ask = (reader: ClickHouseReader, websiteId: string) =>
  Promise.all(
    Object.values(answers).map((answer) =>
      answer.read(reader, { websiteId, window, filters: {} }, { limit: 20 } as never),
    ),
  );

test('answers equal those of the engine, and statements read several websites', async () => {
  const versions = createDataVersions(() => NOW);
  const together: number[] = [];
  let tooLong = 0;
  const filler: ClickHouseReader = {
    async read(query) {
      together.push((query.params.website_ids as readonly string[]).length);
      try {
        return await engine.clickhouse.read({ ...query, mostBytes: MOST_BYTES });
      } catch (error) {
        if (error instanceof AnswerTooLongError) tooLong += 1;
        throw error;
      }
    },
  };
  const keeper = createHoursKeeper({
    ...{ versions, now: () => NOW, maxBytes: 64 * 1024 ** 2, readsBefore: { small: 0, large: 0 }, filler },
    onRead() {},
  });
  const reader = keeper.withHours(engine.clickhouse, {
    ...{ organisationId: 'org', pay: async () => {}, charge() {} },
  });
  for (let round = 0; round < 2; round++) {
    for (const [name, rows] of rowsOf) {
      const late = rows.slice(round * 10, (round + 1) * 10);
      await insert(name, late, `late-${round}`);
      versions.raise(
        late.map(({ timestamp }) => {
          const hour = Math.floor(timestamp / HOUR_MS);
          return { websiteId: name, firstHour: hour, lastHour: hour };
        }),
      );
    }
    const expected: unknown[] = [];
    for (const name of websites) expected.push(await ask(engine.clickhouse, name));
    together.length = 0;
    expect(await Promise.all(websites.map((name) => ask(reader, name)))).toEqual(expected);
    expect(Math.max(...together)).toBeGreaterThan(websites.length / 2);
  }
  expect(tooLong).toBeGreaterThan(0);
}, 300_000);
