import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, type StoredRequest, storedRequest } from '../../../test/harness/stored-requests.js';
import { HOUR_MS, MINUTE_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { ReadTooLargeError } from '../../store/store-errors.js';
import type { Filters } from '../sql/filters.js';
import { aiFunnel } from './ai-funnel.js';
import { aiLanding } from './ai-landing.js';

/** Visits that an assistant sent, counted from the rollup and from the raw rows. */

const START = Date.UTC(2026, 10, 20, 10);
const window = { start: START, end: START + 2 * HOUR_MS };
const everything: Filters = { segment: { rules: [{ type: 'prefix', value: '/' }], excludeRules: [] } };

type Rows = readonly Partial<StoredRequest>[];

const later = (minutes: number) => ({ timestamp: START + minutes * MINUTE_MS });
const gone = { path: '/gone', status: 404 };

interface Counted {
  readonly visits: number;
  readonly errors?: number;
}

const cases: Record<string, readonly [rows: Rows, counted: Counted]> = {
  'a page that came': [[{}], { visits: 1 }],
  'one for a reader who is redirected, loads a favicon and an image, and reloads': [
    [
      { path: '/old', status: 301 },
      {},
      { path: '/favicon.ico', file_type: 'ico', status: 404 },
      { path: '/logo.png', file_type: 'png' },
      { status: 304, ...later(1) },
      later(2),
    ],
    { visits: 1 },
  ],
  'none for other methods than GET': [
    [{ method: 'HEAD' }, { method: 'POST' }, { method: 'OPTIONS' }],
    { visits: 0 },
  ],
  'none for a redirect, a reload and a file': [
    [{ status: 302 }, { status: 308 }, { status: 304 }, { file_type: 'pdf' }],
    { visits: 0 },
  ],
  'one where a log has no methods': [[{ method: '' }], { visits: 1 }],
  'one for each address': [[{}, { client_ip: '2001:db8::1' }], { visits: 2 }],
  'one for each user agent': [[{}, { user_agent: 'Safari' }], { visits: 2 }],
  'one for each page': [[{}, { path: '/other' }], { visits: 2 }],
  'one for all queries of a page': [[{ query: 'a=1' }, { query: 'a=2' }], { visits: 1 }],
  'one for each half hour of the clock': [[{}, later(29.9), later(30), later(60), later(89)], { visits: 3 }],
  'by user agent where no address is known': [
    [{ client_ip: '::' }, { client_ip: '::' }, { client_ip: '::', user_agent: 'Safari' }],
    { visits: 2 },
  ],
  'of people alone': [[{ traffic_class: 'other_bot', is_bot: true, bot_name: 'curl' }], { visits: 0 }],
  'apart from landings on an error': [
    [
      {},
      gone,
      { ...gone, ...later(1) },
      { ...gone, status: 503, ...later(2) },
      { ...gone, client_ip: '2001:db8::1' },
    ],
    { visits: 1, errors: 2 },
  ],
  'and an error before the page came': [[{ status: 503 }, later(1)], { visits: 1, errors: 1 }],
  'one for two assistants': [[{}, { ai_operator: 'Perplexity', ...later(1) }], { visits: 1 }],
};

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  for (const [name, [rows]] of Object.entries(cases)) {
    const stored = rows.map((row, log_index) =>
      storedRequest({
        website_id: name,
        timestamp: START,
        path: '/guide',
        user_agent: 'Firefox',
        ai_operator: 'OpenAI',
        ...row,
        log_index,
      }),
    );
    // Two inserts, so that the rollup holds the visit in two parts.
    await insertStored(engine.clickhouse, stored.slice(0, 1), { deduplicationToken: `${name} 1` });
    if (stored.length > 1)
      await insertStored(engine.clickhouse, stored.slice(1), { deduplicationToken: `${name} 2` });
  }
}, 120_000);
afterAll(() => engine?.stop());

const detection = { referrerHosts: [], utmSources: [] };
const landingOf = (websiteId: string, filters: Filters = {}) =>
  aiLanding.read(engine.clickhouse, { websiteId, window, filters }, { limit: 10, detection });
const funnelOf = (websiteId: string, filters: Filters = {}) =>
  aiFunnel.read(engine.clickhouse, { websiteId, window, filters }, { min_impressions: 50, connection: null });

describe.each([
  ['rollups', {}],
  ['raw rows', everything],
] as const)('visits, counted from %s', (_source, filters) => {
  test.each(Object.entries(cases))('%s', async (name, [, { visits, errors = 0 }]) => {
    const landing = await landingOf(name, filters);
    expect(landing.totals).toMatchObject({ ai_referred_visits: visits, error_landings: errors });
    const hourly = landing.series.flatMap(({ hour: _hour, ...operators }) => Object.values(operators));
    expect(Math.max(0, ...landing.by_operator.map((one) => one.visits))).toBe(visits);
    expect(sum(hourly as number[])).toBe(sum(landing.by_operator.map((one) => one.visits)));
    expect(sum(landing.pages.map((page) => page.visits))).toBe(visits);
    expect((await funnelOf(name, filters)).totals).toMatchObject({
      referrals: visits,
      error_landings: errors,
    });
  });
});

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

test('a visit that two assistants sent counts for both of them', async () => {
  const name = 'one for two assistants';
  const { by_operator, pages, totals } = await landingOf(name);
  expect(by_operator.map(({ operator, visits }) => [operator, visits])).toEqual([
    ['OpenAI', 1],
    ['Perplexity', 1],
  ]);
  expect(pages).toMatchObject([{ visits: 1, operators: { OpenAI: 1, Perplexity: 1 } }]);
  expect(totals.operators).toBe(2);
  const { operators } = await funnelOf(name);
  expect(operators.map(({ operator, referrals }) => [operator, referrals])).toEqual([
    ['OpenAI', 1],
    ['Perplexity', 1],
  ]);
});

describe('visits of people and visits that assistants sent', () => {
  const person = { client_ip: '192.0.2.7', ai_operator: '' };
  const name = 'with people';
  const scope = { websiteId: name, window, filters: {} };

  async function whole(operator?: string) {
    const input = { limit: 10, detection, operator };
    return aiLanding.complete!(
      engine.clickhouse,
      scope,
      input,
      await aiLanding.read(engine.clickhouse, scope, input),
    );
  }

  beforeAll(async () => {
    const rows: Rows = [
      {},
      { ...later(1) },
      { ai_operator: 'Perplexity', client_ip: '192.0.2.8' },
      // One visit of a person, and what loads with it.
      person,
      { ...person, ...later(3) },
      { ...person, method: 'HEAD' },
      { ...person, method: 'OPTIONS' },
      { ...person, status: 304 },
      { ...person, status: 301 },
      { ...person, status: 404 },
      { ...person, client_ip: '192.0.2.9', ...later(31) },
      { ...person, path: '/other' },
      { ...person, path: '/app.js', file_type: 'js' },
      // After the first visit, from its address.
      { ai_operator: '', path: '/next', ...later(2) },
      { ai_operator: '', path: '/asked', method: 'OPTIONS', ...later(2) },
      { ai_operator: '', path: '/sent', method: 'POST', ...later(2) },
      { ai_operator: '', path: '/looked-at', method: 'HEAD', ...later(2) },
      { ai_operator: '', path: '/site.webmanifest', file_type: 'json', ...later(2) },
    ];
    const stored = rows.map((row, log_index) =>
      storedRequest({
        ...{
          website_id: name,
          timestamp: START,
          path: '/guide',
          user_agent: 'Firefox',
          client_ip: '192.0.2.1',
        },
        ...{ ai_operator: 'OpenAI', ...row, log_index },
      }),
    );
    await insertStored(engine.clickhouse, stored, { deduplicationToken: name });
  });

  test('shares compare visits with visits', async () => {
    const { pages, totals } = await whole();
    expect(pages).toMatchObject([{ path: '/guide', visits: 2, human_visits: 4, ai_share_pct: 50 }]);
    // A page and a next page that only people opened.
    expect(totals).toMatchObject({
      ai_referred_visits: 2,
      human_visits: 6,
      share_of_human_traffic_pct: 33.33,
    });
  });

  test('the share of one operator counts only its visits', async () => {
    const { pages } = await whole('openai');
    expect(pages).toMatchObject([{ visits: 1, human_visits: 4, ai_share_pct: 25 }]);
  });

  test('shares are null before the single requests are read', async () => {
    const { pages, totals } = await landingOf(name);
    expect(pages).toMatchObject([{ human_visits: null, ai_share_pct: null }]);
    expect(totals).toMatchObject({ human_visits: null, share_of_human_traffic_pct: null });
  });

  test('the total of very many visits is exact', async () => {
    const visits = 300_000;
    await engine.clickhouse.command(
      `INSERT INTO requests (website_id, timestamp, received_at, path, user_agent, method, status, file_type, traffic_class, retention_days)
SELECT 'crowd', toDateTime64(${START} / 1000, 3), now(), '/', toString(number % ${visits}), 'GET', 200, 'html', 'human', 400
FROM numbers(${visits + 5_000})`,
      {},
    );
    const { clickhouse } = engine;
    let tooLarge = 0;
    const small: ClickHouseReader = {
      async read(query) {
        const needsMemory =
          query.name === 'ai_landing.human_visits' && !query.sql.includes('aggregation_in_order');
        if (!needsMemory) return clickhouse.read(query);
        tooLarge += 1;
        throw new ReadTooLargeError('too large');
      },
    };
    const crowd = { ...scope, websiteId: 'crowd' };
    const input = { limit: 10, detection, operator: undefined };
    for (const reader of [clickhouse, small]) {
      const first = await aiLanding.read(reader, crowd, input);
      const { totals } = await aiLanding.complete!(reader, crowd, input, first);
      expect(totals.human_visits).toBe(visits);
    }
    expect(tooLarge).toBe(1);
  });

  test('only pages requested by GET count as opened next', async () => {
    const { pages } = await whole();
    expect(pages[0]!.next_paths).toEqual([{ path: '/next', visits: 1 }]);
  });
});

test('landings on an error are listed by page, with the last status', async () => {
  const { error_pages, pages, by_operator } = await landingOf('apart from landings on an error');
  expect(error_pages).toMatchObject([{ path: '/gone', landings: 2, last_status: 503 }]);
  expect(pages.map(({ path }) => path)).toEqual(['/guide']);
  expect(by_operator).toMatchObject([{ operator: 'OpenAI', visits: 1, error_landings: 2 }]);
});

test('the answer states its rule', async () => {
  const { detection: stated } = await landingOf('a page that came');
  expect(stated).toMatchObject({
    visit_minutes: 30,
    rule: expect.stringMatching(/GET.*30 minutes of the clock/),
  });
});
