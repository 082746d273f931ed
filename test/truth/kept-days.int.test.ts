import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDataVersions } from '../../services/api/answer-cache/data-versions.js';
import { createDaysKeeper } from '../../services/api/kept-days/keep-days.js';
import { segmentsBreakdown } from '../../services/api/operations/segments/segments-breakdown.js';
import { aiLanding } from '../../shared/reads/ai/ai-landing.js';
import type { Filters } from '../../shared/reads/sql/filters.js';
import type { ReaderWithDays } from '../../shared/reads/sql/kept-days.js';
import type { Scope, Window } from '../../shared/reads/sql/scope.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { runs } from '../harness/runs.js';
import { insertStored, type StoredRequest } from '../harness/stored-requests.js';
import { NOW, randomRequests } from './random-requests.js';

/** Answers from results of kept days (services/api/kept-days), compared with those that read their rows, while the rows change. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** People open pages from few addresses, near to midnight too, so that visits have next pages. */
const all: StoredRequest[] = randomRequests('shop', 6_000, 78).map((row, index) => ({
  ...row,
  received_at: NOW,
  ...(index % 3 === 0
    ? {
        timestamp: Math.min(NOW - 1, Math.floor(row.timestamp / DAY) * DAY + ((index % 80) - 40) * MINUTE),
        traffic_class: 'human' as const,
        bot_verification: '' as const,
        is_bot: false,
        method: 'GET',
        status: index % 5 === 0 ? 404 : 200,
        file_type: 'html',
        path: `/page/${index % 7}`,
        client_ip: `192.0.2.${index % 4}`,
        ai_operator: ['', 'OpenAI', 'Perplexity'][index % 4] ?? '',
      }
    : {}),
}));
const LATE = 30;
const MOST_LATE = 1_500;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await insertStored(engine.clickhouse, all.slice(MOST_LATE), {
    deduplicationToken: 'first',
    retentionDays: 25_000,
  });
}, 120_000);
afterAll(() => engine?.stop());

const detection = { referrerHosts: [], utmSources: [] };

async function ask(reader: ReaderWithDays, scope: Scope, operator: string | undefined): Promise<unknown> {
  const input = { limit: scope.window.start % 3 === 0 ? 2 : 200, operator, detection };
  const first = await aiLanding.read(reader, scope, input);
  const compare = scope.window.start % 2 === 0;
  return [
    await aiLanding.complete!(reader, scope, input, first),
    await segmentsBreakdown.read(reader, scope, { segments, compare }),
  ];
}

const segments = (
  [
    { type: 'prefix', value: '/page' },
    { type: 'query', value: 'page=' },
    { type: 'regex', value: '[0-3]$' },
  ] as const
).map((rule) => ({ id: rule.type, name: rule.type, rules: [rule], excludeRules: [] }));

/** Edges on days, half hours and between them. */
const windows: fc.Arbitrary<Window> = fc
  .record({
    unit: fc.constantFrom(DAY, HOUR, 30 * MINUTE, MINUTE, 1),
    days: fc.double({ min: 0.2, max: 20, noNaN: true }),
    ago: fc.option(fc.integer({ min: 0, max: 10 * DAY }), { freq: 2 }),
  })
  .map(({ unit, days, ago }) => {
    const down = (at: number) => Math.floor(at / unit) * unit;
    if (ago === null) return { start: down(NOW - days * DAY), end: NOW, running: true };
    const end = down(NOW - ago);
    return { start: Math.min(down(end - days * DAY), end - unit), end };
  });

const filters = fc.constantFrom<Filters>(
  {},
  {},
  {},
  { countries: ['DE', 'US'] },
  { withoutUnproved: true },
  { botVerified: true },
  { statusClass: 2 },
  { segment: { rules: [{ type: 'regex', value: '/page/[0-3]$' }], excludeRules: [] } },
);

const steps = fc.record({
  change: fc.constantFrom('none', 'none', 'rows', 'rows', 'erasure' as const),
  window: windows,
  filters,
  operator: fc.constantFrom(undefined, undefined, 'openai', 'Perplexity'),
});

/** Changes the store, then the versions. */
function createChanges(raise: ReturnType<typeof createDataVersions>['raise']) {
  let inserts = 0;
  return {
    none: async () => {},
    async rows() {
      const late = all.slice(inserts * LATE, (inserts + 1) * LATE);
      if (inserts * LATE >= MOST_LATE) return;
      inserts += 1;
      await insertStored(engine.clickhouse, late, {
        deduplicationToken: `late-${inserts}`,
        retentionDays: 25_000,
      });
      const hours = late.map(({ timestamp }) => Math.floor(timestamp / HOUR));
      raise(hours.map((hour) => ({ websiteId: 'shop', firstHour: hour, lastHour: hour })));
    },
    async erasure() {
      await engine.clickhouse.command(
        "ALTER TABLE requests DELETE WHERE website_id = 'shop' AND country = 'JP'",
        {},
        { mutations_sync: 2 },
      );
      raise([{ websiteId: 'shop' }]);
    },
  };
}

test('answers from kept days equal those of the rows, while rows and erasures come in between', async () => {
  const versions = createDataVersions(() => NOW);
  const asked = { kept: 0, whole: 0 };
  const { clickhouse } = engine;
  // The second one evicts results all the time.
  const readers: ReaderWithDays[] = [16 * 1024 ** 2, 100_000].map((maxBytes) => ({
    keptDays: createDaysKeeper({ versions, maxBytes, now: () => NOW }),
    read(query) {
      if (query.name === 'ai_landing.visits_by_day') asked.kept += 1;
      if (query.name === 'ai_landing.human_visits') asked.whole += 1;
      return clickhouse.read(query);
    },
  }));
  const changes = createChanges(versions.raise);
  for (const { change, window, filters: given, operator } of fc.sample(steps, {
    numRuns: runs(50),
    seed: 6,
  })) {
    await changes[change as keyof typeof changes]();
    const scope = { websiteId: 'shop', window, filters: given };
    const expected = await ask(clickhouse, scope, operator);
    for (const reader of readers)
      for (const _ of ['first', 'again'])
        expect(await ask(reader, scope, operator), JSON.stringify([scope, operator])).toEqual(expected);
  }
  expect(asked.kept).toBeGreaterThan(asked.whole);
}, 600_000);
