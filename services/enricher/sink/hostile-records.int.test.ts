import fc from 'fast-check';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { DAY_MS } from '../../../shared/durations.js';
import { ENRICHER_GROUP } from '../../../shared/event-log/consumer-groups.js';
import { openLocationDatabases } from '../../../shared/location/open-databases.js';
import { encodeRawBlock } from '../../../shared/requests/columns/raw-block-codec.js';
import { decodeDeadEntry } from '../../../shared/requests/dead-record.js';
import type { RawBlock, RawRequest } from '../../../shared/requests/raw-request.js';
import type { ClickHouse, InsertOptions } from '../../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { ROLLUP_TABLES } from '../../../test/harness/rollup-tables.js';
import { uncheckedBlock } from '../../../test/harness/unchecked-block.js';
import { createEnrich } from '../enrich.js';
import { type EnricherService, startEnricher } from '../enricher-service.js';
import { createLocateStep } from '../steps/locate.js';
import { plainRequest } from './plain-request.js';

/** Hostile records on the whole way from the log into the engine. */

const RETENTION_DAYS = 400;
const RETENTION_MS = RETENTION_DAYS * DAY_MS;
const PATIENCE = { timeout: 50_000, interval: 50 };
const ROLLUP = z.object({ table: z.string() });
const COUNT = z.object({ n: z.number() });

let store: TestClickHouse;
let enrich: ReturnType<typeof createEnrich>;
let log: MemoryEventLog;
let enricher: EnricherService;
let crashes: Error[];
let bodies: number[];

beforeAll(async () => {
  store = await startTestClickHouse();
  enrich = createEnrich({
    rules: createCrawlerRules(loadRuleData()),
    dnsVerifier: { verdictOf: () => 'pending' },
    locate: createLocateStep({ ...openLocationDatabases(), cacheSize: 1_000 }),
    referrers: loadReferrerList(),
    websiteDomain: () => null,
    retentionDays: () => 30,
  });
});
afterAll(() => store?.stop());

beforeEach(async () => {
  log = createMemoryEventLog(1, Date.now);
  crashes = [];
  bodies = [];
});
afterEach(() => enricher?.stop());

async function start(clickhouse: ClickHouse = store.clickhouse) {
  enricher = await startEnricher({
    log,
    clickhouse: {
      ...clickhouse,
      insert: (options: InsertOptions) => {
        bodies.push(options.rows.length);
        return clickhouse.insert(options);
      },
    },
    enrich,
    retentionDays: () => RETENTION_DAYS,
    config: {
      ENRICHER_BATCH_ROWS: 30_000,
      ENRICHER_BATCH_BYTES: 16 * 1024 ** 2,
      ENRICHER_BATCH_LINGER_MS: 20,
    },
    now: Date.now,
    logger: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    registry: new Registry(),
    onCrash: (error) => crashes.push(error),
  });
}

/** A person's request, which only rollups of bots exclude. */
const page = (given: Partial<RawRequest>) =>
  plainRequest({
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    ...given,
  });

const append = (blocks: readonly Buffer[]) =>
  log.append(
    'requests.raw',
    blocks.map((value) => ({ key: 'w', value })),
  );

const block = (website_id: string, requests: RawRequest[], more: Partial<RawBlock> = {}) =>
  encodeRawBlock({
    website_id,
    source: 'loglane',
    upload_id: 'u',
    received_at: Date.now(),
    requests,
    ...more,
  });

/** Waits until every record of the log is stored or dead. */
async function settled() {
  await vi.waitFor(async () => {
    expect(crashes).toEqual([]);
    const end = log.records('requests.raw').length;
    const commit = (await log.committed('requests.raw', ENRICHER_GROUP)).get(0);
    expect(commit).toEqual({ offset: end, metadata: '' });
  }, PATIENCE);
}

const dead = () =>
  log.records('requests.dead').map(({ value }) => {
    const entry = decodeDeadEntry(value);
    return { offset: entry.offset, reason: entry.kind === 'dead' ? entry.reason : '' };
  });

async function count(sql: string): Promise<number> {
  const [row] = await store.clickhouse.read({ name: 'test', sql, params: {}, row: COUNT });
  return row?.n ?? 0;
}

async function rollups(): Promise<string[]> {
  const found = await store.clickhouse.read({
    name: 'test',
    sql: ROLLUP_TABLES,
    params: {},
    row: ROLLUP,
  });
  return found.map(({ table }) => table);
}

/** Rollups of bots, of some people, of some statuses or of some URLs only. */
const partial = [
  'crawler_paths_per_hour',
  'crawler_queries_per_hour',
  'ai_visits_per_hour',
  'not_found_per_hour',
  'bots_per_hour',
  'bot_estimates_per_hour',
];

async function expectOnce(websites: string, rows: number) {
  expect(await count(`SELECT count() AS n FROM requests WHERE ${websites}`)).toBe(rows);
  for (const table of (await rollups()).filter((name) => !partial.includes(name))) {
    expect([table, await count(`SELECT sum(requests) AS n FROM ${table} WHERE ${websites}`)]).toEqual([
      table,
      rows,
    ]);
  }
}

test('150 lines of 150 months are stored, and so are the records after them', async () => {
  await start();
  const lines = Array.from({ length: 150 }, (_, month) =>
    page({ timestamp: Date.UTC(2014, month, 5), target: '/' }),
  );
  await append([block('months', lines), block('months', [page({ timestamp: Date.now() })])]);
  await settled();
  await expectOnce("website_id = 'months'", 151);
  expect(dead()).toEqual([]);
});

test('lines of 24 KB are sent in bodies of bounded size', async () => {
  const insert = async () => {};
  await start({ ...store.clickhouse, insert });
  const long = 'x'.repeat(8_000);
  const line = (_: unknown, row: number) =>
    plainRequest({ target: `/${long}${row}`, user_agent: `${long}${row}`, referrer: `${long}${row}` });
  const value = block('large', Array.from({ length: 21 }, line));
  await append(Array(100).fill(value));
  await settled();
  expect(bodies.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(48 * 1024 ** 2);
  expect(Math.max(...bodies)).toBeLessThan(20 * 1024 ** 2);
});

test('equal lines of 24 KB, which are small in the log, take as many inserts as different ones', async () => {
  const insert = async () => {};
  await start({ ...store.clickhouse, insert });
  const long = 'x'.repeat(8_000);
  const line = plainRequest({ target: `/${long}`, user_agent: long, referrer: long });
  const value = block('large', Array(21).fill(line));
  expect(value.length).toBeLessThan(30_000);
  await append(Array(100).fill(value));
  await settled();
  expect(bodies.length).toBeGreaterThan(2);
});

describe('a record that the store refuses in a view', () => {
  beforeAll(async () => {
    const { clickhouse } = store;
    await clickhouse.command('CREATE TABLE IF NOT EXISTS bombs (a UInt8) ENGINE = Null');
    await clickhouse.command(
      "CREATE MATERIALIZED VIEW IF NOT EXISTS zz_bombs_mv TO bombs AS SELECT throwIf(startsWith(path, '/bomb')) AS a FROM requests",
    );
  });
  afterAll(async () => {
    await store.clickhouse.command('DROP VIEW IF EXISTS zz_bombs_mv');
    await store.clickhouse.command('DROP TABLE IF EXISTS bombs');
  });

  test('goes to the dead letters, and its neighbours are in every table once', async () => {
    await start();
    const day = Date.now();
    const lines = (target: string) =>
      [0, 40, 80].map((days) => page({ target, timestamp: day - days * 86_400_000 }));
    await append([
      block('good 1', lines('/a')),
      block('bad 1', [...lines('/b'), ...lines('/bomb')]),
      block('good 2', lines('/c')),
      block('good 3', lines('/d')),
      block('bad 2', lines('/bomb/2')),
    ]);
    await settled();
    expect(dead()).toEqual([
      { offset: 1, reason: expect.stringMatching(/^the store refuses it: /) },
      { offset: 4, reason: expect.stringMatching(/^the store refuses it: /) },
    ]);
    await expectOnce("startsWith(website_id, 'good')", 9);
    // The partition continues.
    await append([block('good 4', lines('/e'))]);
    await settled();
    await expectOnce("startsWith(website_id, 'good')", 12);
  });
});

describe('records with hostile values', () => {
  const names = [Object, Array, Function, Map, String, Promise].flatMap((type) =>
    Object.getOwnPropertyNames(type.prototype),
  );
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names, 'hasOwnProperty/1.0', '__proto__') },
    fc.constantFrom(
      '\ud800',
      'a\udfffb',
      '\0',
      'a\0b',
      '\\N',
      '\t\n\r',
      '\u202e',
      'x'.repeat(70_000),
      '"\'`',
    ),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.webUrl(),
  );
  const number = (...extremes: number[]) =>
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(200, 0, 1) }, fc.constantFrom(...extremes));
  const longs = [-1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 2, -(2 ** 53 - 2)];
  const MOST = 1000 * 2 ** 32 - 1;
  /** A retention that ends at midnight after the last day fits into the columns. */
  const LAST_RECEIPT = (Math.floor(MOST / DAY_MS) - RETENTION_DAYS) * DAY_MS - 1;
  const request: fc.Arbitrary<RawRequest> = fc.record({
    timestamp: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(0, MOST, Date.UTC(2026, 10, 1)) },
      fc.constantFrom(-1, MOST + 1, Date.UTC(2149, 5, 7), Date.UTC(9999, 11, 31), 2 ** 53 - 2),
    ),
    client_ip: fc.oneof({ weight: 12, arbitrary: fc.oneof(fc.ipV4(), fc.ipV6()) }, text),
    method: text,
    host: text,
    target: fc.oneof(
      text,
      text.map((value) => `/${value}?utm_source=${value}`),
    ),
    protocol: text,
    status: number(999, 65_535),
    bytes_sent: number(...longs),
    time_taken_ms: fc.option(number(2 ** 31 - 1, 2 ** 32 - 2)),
    user_agent: text,
    referrer: fc.oneof(
      text,
      text.map((value) => `https://${value}/${value}`),
    ),
    request_id: text,
    content_type: text,
    cache_status: text,
    source_country: text,
    cdn_bot_category: text,
    source_asn: fc.option(number(2 ** 31 - 1, 2 ** 32 - 2)),
  });
  const anyBlock: fc.Arbitrary<RawBlock> = fc.record({
    website_id: text,
    source: text,
    upload_id: text,
    received_at: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(Date.now()) },
      // Not 1970: the next merge deletes expired rows.
      fc.constantFrom(-1, LAST_RECEIPT, LAST_RECEIPT + 1, MOST - RETENTION_MS, MOST, MOST + 1, 2 ** 53 - 2),
    ),
    requests: fc.array(request, { minLength: 1, maxLength: 3 }),
  });

  const isTime = (at: number) => at >= 0 && at <= MOST;
  const fits = ({ received_at, requests }: RawBlock) =>
    isTime(received_at) &&
    received_at <= LAST_RECEIPT &&
    requests.every(({ timestamp, bytes_sent }) => isTime(timestamp) && bytes_sent >= 0);

  test("outlive the next merge, or are dead if their retention would end after the columns' last time", async () => {
    await start();
    const received = [LAST_RECEIPT, LAST_RECEIPT + 1, MOST - RETENTION_MS];
    await append(
      received.map((received_at) => block('good-last', [page({ timestamp: 0 })], { received_at })),
    );
    await settled();
    await store.clickhouse.command('OPTIMIZE TABLE requests FINAL');
    expect(await count("SELECT count() AS n FROM requests WHERE website_id = 'good-last'")).toBe(1);
    expect(dead()).toEqual(
      [1, 2].map((offset) => ({ offset, reason: expect.stringMatching(/^end of retention/) })),
    );
  });

  // Each run inserts into many partitions of every table, which takes minutes on a busy machine.
  test('stop no process: each is stored with its exact times, or is dead with a reason', {
    timeout: 240_000,
  }, async () => {
    await start();
    const stored = z.object({ offset: z.number(), times: z.array(z.number()), rows: z.number() });
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { minLength: 1, maxLength: 12 }), async (blocks) => {
        const from = log.records('requests.raw').length;
        await append(blocks.map(uncheckedBlock));
        await settled();
        const rows = await store.clickhouse.read({
          name: 'test',
          sql: `SELECT log_offset AS offset, count() AS rows, arraySort(groupArray(toUnixTimestamp64Milli(timestamp))) AS times
                FROM requests WHERE website_id NOT IN ('months', '~trial') AND NOT startsWith(website_id, 'good')
                  AND NOT startsWith(website_id, 'bad') AND log_offset >= {from: UInt64} GROUP BY offset`,
          params: { from },
          row: stored,
        });
        const found = new Map(rows.map((row) => [row.offset, row.times]));
        const deadLettered = new Map(dead().map(({ offset, reason }) => [offset, reason]));
        for (const [index, one] of blocks.entries()) {
          const offset = from + index;
          const reason = deadLettered.get(offset);
          expect([offset, found.has(offset)]).toEqual([offset, reason === undefined]);
          if (reason === undefined) {
            const times = one.requests.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
            expect(found.get(offset)).toEqual(times);
          } else if (fits(one)) {
            expect(reason).toMatch(/^not an IP address/);
          }
        }
      }),
      // No shrinking: a run takes seconds, and a failure must be reported before the timeout.
      { numRuns: 10, endOnFailure: true },
    );
  });
});
