import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataVersions } from '../../services/api/answer-cache/data-versions.js';
import { createHoursKeeper } from '../../services/api/kept-hours/keep-hours.js';
import { llms } from '../../shared/reads/ai/llms.js';
import { botsAccess } from '../../shared/reads/bots/bot-access.js';
import { bots } from '../../shared/reads/bots/bots.js';
import { readCrawlBases } from '../../shared/reads/bots/counted-crawlers.js';
import { beginningWith, type Filters, oneOf } from '../../shared/reads/sql/filters.js';
import { MOST_IN_STATEMENT } from '../../shared/reads/sql/late-verdicts.js';
import * as tables from '../../shared/reads/sql/read-tables.js';
import type { Scope, Window } from '../../shared/reads/sql/scope.js';
import type { SegmentRules } from '../../shared/reads/sql/segment-conditions.js';
import { select } from '../../shared/reads/sql/select.js';
import type { Selection } from '../../shared/reads/sql/selection.js';
import { devices } from '../../shared/reads/traffic/devices.js';
import { geography } from '../../shared/reads/traffic/geography.js';
import { ips } from '../../shared/reads/traffic/ips.js';
import { referrers } from '../../shared/reads/traffic/referrers.js';
import { statusCodes } from '../../shared/reads/traffic/status-codes.js';
import { summary } from '../../shared/reads/traffic/summary.js';
import { traffic } from '../../shared/reads/traffic/traffic.js';
import { paths } from '../../shared/reads/urls/paths.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { runs } from '../harness/runs.js';
import { insertStored } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { laterVerdicts, NOW, randomRequests } from './random-requests.js';

/** Reads from rows in memory (services/api/kept-hours), compared with the engine's answers while the rows change. */

const readsBefore = { small: 0, large: 0 };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const all = randomRequests('shop', 9_000, 77).map((row) => ({ ...row, received_at: NOW }));
const verdicts = laterVerdicts(all);
/** A few rows for each insert between the reads. */
const LATE = 40;
const FEW = 60;
const stored = all.slice(2_000);

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await insertStored(engine.clickhouse, stored, { deduplicationToken: 'first', retentionDays: 25_000 });
}, 120_000);
afterAll(() => engine?.stop());

const answers = {
  summary,
  traffic,
  bots,
  botsAccess,
  statusCodes,
  geography,
  referrers,
  devices,
  paths,
  ips,
  llms,
};

/** Questions of large rollups that no answer above asks. */
const questions: Record<string, Omit<Selection, 'name'>> = {
  days: {
    from: [tables.paths],
    lists: { days: { by: ['path'], overTime: true } },
    time: 'day',
    metrics: ['requests', 'time_taken_ms_max', 'last_seen'],
    where: [beginningWith('path', '/b')],
  },
  newest: {
    from: [tables.paths],
    lists: { gone: { by: ['path'], limit: 9, withPast: true }, total: { by: [] } },
    metrics: ['status_4xx', 'last_seen'],
    previous: ['status_4xx'],
  },
  networks: {
    from: [tables.clientIps],
    lists: { networks: { by: ['network'], limit: 15 }, ips: { by: ['client_ip', 'bot_name'], limit: 30 } },
    metrics: ['requests', 'asn', 'as_name', 'probes', 'first_seen'],
    previous: ['requests'],
    latest: ['country', 'bot_name'],
    distinct: ['client_ip', 'country'],
  },
  crawled: {
    from: [tables.crawlerPaths],
    lists: {
      pages: { by: ['path', 'bot_name'], limit: 25 },
      crawlers: { by: ['verification'], limit: 25 },
      total: { by: [] },
    },
    metrics: ['timed_requests', 'spoofed_requests', 'served_verified', 'first_seen'],
    latest: ['path', 'verification'],
    distinct: ['path', 'bot_family'],
    where: [oneOf('bot_category', ['search', 'ai', 'other'])],
  },
  queried: {
    from: [tables.crawlerQueries],
    lists: {
      paths: { by: ['path_start', 'has_query'], limit: 25 },
      urls: { by: ['path_start', 'query_start'], limit: 25 },
    },
    metrics: ['requests', 'status_4xx', 'verified_requests'],
    latest: ['query_start'],
    distinct: ['query'],
  },
};
type Name = keyof typeof answers | 'bases' | 'days' | 'newest' | 'networks' | 'crawled' | 'queried';

async function ask(reader: ClickHouseReader, name: Name, scope: Scope): Promise<unknown> {
  if (name === 'bases') return readCrawlBases(reader, scope);
  const question = questions[name];
  if (question !== undefined)
    return ofLists(question.lists, await select(reader, scope, { name, ...question }));
  const input = { limit: 20, split_variants: scope.window.start % 2 === 0 };
  return answers[name as keyof typeof answers].read(reader, scope, input as never);
}

/** The engine also returns the number of the list, and empty values of the other lists' keys. */
function ofLists(lists: Selection['lists'], answered: Record<string, object[]>) {
  const keys = new Set<string>(Object.values(lists).flatMap(({ by }) => by));
  return Object.entries(lists).map(([name, { by }]) => {
    const ignored = new Set([...[...keys].filter((key) => !by.includes(key as never)), 'list', 'is_current']);
    return answered[name]!.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([key]) => !ignored.has(key))),
    );
  });
}

/** Edges on days, hours, minutes, ten seconds and between them. */
const windows: fc.Arbitrary<Window> = fc
  .record({
    unit: fc.constantFrom(DAY, HOUR, HOUR, HOUR, MINUTE, MINUTE, 10_000, 10_000, 1),
    length: fc.oneof(fc.integer({ min: 1, max: 200 * MINUTE }), fc.integer({ min: HOUR, max: 40 * DAY })),
    ago: fc.option(fc.integer({ min: 0, max: 30 * DAY }), { freq: 2 }),
  })
  .map(({ unit, length, ago }) => {
    const down = (at: number) => Math.floor(at / unit) * unit;
    if (ago === null) return { start: down(NOW - length), end: NOW, running: true };
    const end = down(NOW - ago);
    return { start: Math.min(down(end - length), end - unit), end };
  });

const pages: SegmentRules = {
  rules: [
    { type: 'regex', value: '^/[a-m]' },
    { type: 'query', value: 'page=' },
  ],
  excludeRules: [{ type: 'contains', value: 'e' }],
};

const filters = fc.constantFrom<Filters>(
  {},
  {},
  {},
  { countries: ['DE', 'US'] },
  { bot: 'googlebot' },
  { bot: 'openai' },
  { botName: "it's a\\bot\t#1" },
  { botName: 'übercrawler' },
  { botFamily: 'GOOGLE' },
  { botVerified: true },
  { botVerified: false, countries: ['FR'] },
  { withoutUnproved: true },
  { status: 404 },
  { statusClass: 2 },
  { statusClass: 0 },
  { hosts: ['shop.example.com'] },
  { fileTypes: ['html'] },
  { segment: { rules: [{ type: 'prefix', value: '/b' }], excludeRules: [] } },
  { segment: pages, countries: ['DE', 'US'] },
  { segment: pages, withoutUnproved: true },
  { segment: pages, bot: 'googlebot' },
  { segment: pages, hosts: ['shop.example.com'] },
);

type Change = 'none' | 'rows' | 'verdicts' | 'erasure';

const steps = fc.record({
  change: fc.constantFrom<Change>('none', 'none', 'rows', 'rows', 'verdicts', 'erasure'),
  names: fc.uniqueArray(
    fc.constantFrom<Name>('bases', ...(Object.keys({ ...answers, ...questions }) as Name[])),
    {
      minLength: 2,
      maxLength: 3,
    },
  ),
  window: windows,
  filters,
});

/** Changes the store, then the versions. */
function createChanges(raise: ReturnType<typeof createDataVersions>['raise']) {
  let inserts = 0;
  let decided = 0;
  const changes: Record<Change, () => Promise<void>> = {
    none: async () => {},
    async rows() {
      const late = all.slice(inserts * LATE, (inserts + 1) * LATE);
      inserts += 1;
      if (late.length === 0 || inserts * LATE > 2_000) return;
      await insertStored(engine.clickhouse, late, {
        deduplicationToken: `late-${inserts}`,
        retentionDays: 25_000,
      });
      const hours = late.map(({ timestamp }) => Math.floor(timestamp / HOUR));
      raise(hours.map((hour) => ({ websiteId: 'shop', firstHour: hour, lastHour: hour })));
    },
    async verdicts() {
      // First a few, and in the end more than a statement contains.
      const to = decided < 3 * FEW ? decided + FEW : verdicts.length;
      const rows = verdicts.slice(decided, to).map(({ bot_family: family, client_ip: clientIp, status }) => ({
        ...{ websiteId: 'shop', family, clientIp, status, decidedAt: NOW - 1 },
      }));
      decided = to;
      if (rows.length === 0) return;
      await insertVerdicts(engine.clickhouse, rows, `verdicts-${to}`);
      raise([{ websiteId: 'shop', keepsRows: true }]);
    },
    async erasure() {
      const country = 'JP';
      for (const table of [
        'requests',
        'traffic_per_hour',
        'bots_per_hour',
        'client_ips_per_hour',
        'crawler_paths_per_hour',
        'crawler_queries_per_hour',
      ])
        await engine.clickhouse.command(
          `ALTER TABLE ${table} DELETE WHERE website_id = 'shop' AND country = '${country}'`,
          {},
          { mutations_sync: 2 },
        );
      raise([{ websiteId: 'shop' }]);
    },
  };
  return changes;
}

const additive = [
  ...['summary.traffic', 'summary.bots', 'traffic.hours', 'bots.claims', 'bots_access.bots', 'paths.list'],
  ...[
    'ips.busiest',
    'ips.ranges',
    'ips.range_sizes',
    'llms.pages',
    'llms.served_pages',
    'bots_access.rejections',
    ...Object.keys(questions),
  ],
];

/** Notes the names of statements. */
function counting(reader: ClickHouseReader) {
  const asked: string[] = [];
  const noted: ClickHouseReader = {
    read(query) {
      asked.push(query.name);
      return reader.read(query);
    },
  };
  return { asked, reader: noted };
}

test('a statement contains the first verdicts, and not all', () => {
  expect(verdicts.length).toBeGreaterThan(MOST_IN_STATEMENT);
});

test('answers from memory equal those of the engine, while rows, verdicts and erasures come in between', async () => {
  const versions = createDataVersions(() => NOW);
  const truth = counting(engine.clickhouse);
  const counted = counting(engine.clickhouse);
  let now = NOW;
  // The second one evicts rows all the time.
  const readers = [32, 2].map((megabytes) =>
    createHoursKeeper({
      ...{ versions, now: () => now, maxBytes: megabytes * 1024 ** 2, readsBefore, filler: counted.reader },
      onRead() {},
    }).withHours(counted.reader, { organisationId: 'org', pay: async () => {}, charge() {} }),
  );
  const changes = createChanges(versions.raise);
  for (const { change, names, window, filters: given } of fc.sample(steps, {
    numRuns: runs(400),
    seed: 5,
  })) {
    await changes[change]();
    now += HOUR;
    for (const name of names) {
      const scope = { websiteId: 'shop', window, filters: given };
      const expected = await ask(truth.reader, name, scope);
      for (const reader of readers)
        expect(await ask(reader, name, scope), JSON.stringify([name, scope])).toEqual(expected);
    }
  }
  // Statements of questions that count, which only the engine answered for the truth.
  const count = (asked: readonly string[]) => asked.filter((name) => additive.includes(name)).length;
  expect(count(counted.asked)).toBeLessThan(0.75 * readers.length * count(truth.asked));
}, 600_000);
