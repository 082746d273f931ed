import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFollowOn } from '../../shared/reads/ai/follow-on.js';
import type { Filters } from '../../shared/reads/sql/filters.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { AnswerTooLongError, ReadTooLargeError } from '../../shared/store/store-errors.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { runs } from '../harness/runs.js';
import { insertStored, type StoredRequest, storedRequest } from '../harness/stored-requests.js';
import { followOn, isAiVisit, topNext, visitsIn } from './follow-on.js';

/** Compares the engine's next pages with a look at each visit, over requests that are close together. */

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 3, 10);
const WEBSITES = runs(60);
const BUSY = 'busy';
const SENT_OFTEN = 'sent-often';
const HALF_HOUR = 30 * MINUTE;

/** Few addresses, pages and instants, so that ties, reloads and the edges of the half hour are common. */
const request = fc
  .record({
    minutes: fc.integer({ min: 0, max: 24 }).map((step) => step * 5),
    shift: fc.constantFrom(-1, 0, 0, 0, 1),
    address: fc.integer({ min: 1, max: 3 }),
    path: fc.constantFrom('/', '/guide', '/shop', "/it's\\"),
    status: fc.constantFrom(200, 200, 200, 206, 304, 301, 404),
    file_type: fc.constantFrom('html', 'html', 'php', 'css'),
    ai_operator: fc.constantFrom('', 'OpenAI', 'OpenAI', 'Perplexity'),
    country: fc.constantFrom('DE', 'FR'),
    method: fc.constantFrom('GET', 'GET', 'GET', '', 'HEAD'),
    user_agent: fc.constantFrom('Firefox', 'Safari'),
    isBot: fc.integer({ min: 0, max: 9 }).map((lot) => lot === 0),
  })
  .map(({ minutes, shift, address, isBot, ...fields }) => ({
    ...fields,
    timestamp: START + minutes * MINUTE + shift,
    client_ip: `192.0.2.${address}`,
    ...(isBot ? { is_bot: true, traffic_class: 'other_bot' as const, bot_name: 'curl' } : {}),
  }));

const websites = fc
  .sample(fc.array(request, { minLength: 1, maxLength: 40 }), { numRuns: WEBSITES, seed: 20_261_122 })
  .map((rows, website) =>
    rows.map((row, index) =>
      storedRequest({ ...row, website_id: `site-${website}`, log_index: website * 100 + index }),
    ),
  );

/** A visit, and another page this many milliseconds later; each pair from a separate address. */
const EDGES = [-1, 0, 1, 30 * MINUTE, 30 * MINUTE + 1];
const edges = EDGES.flatMap((after, index) => {
  const at = { website_id: 'edges', client_ip: `192.0.2.${index}`, log_index: 20_000 + 2 * index };
  return [
    storedRequest({ ...at, timestamp: START + MINUTE, path: `/landing/${index}`, ai_operator: 'OpenAI' }),
    storedRequest({ ...at, log_index: at.log_index + 1, timestamp: START + MINUTE + after, path: '/next' }),
  ];
});

/** One address that opens a thousand and one pages, and one that opens only one of these pages. */
const busy = [
  ...Array.from({ length: 1_001 }, (_, index) => ({
    timestamp: START + MINUTE + index,
    path: `/page/${index}`,
  })),
  { timestamp: START, path: '/', ai_operator: 'OpenAI' },
  { timestamp: START, path: '/', ai_operator: 'OpenAI', client_ip: '192.0.2.9' },
  { timestamp: START + 2 * MINUTE, path: '/next', client_ip: '192.0.2.9' },
].map((row, index) => storedRequest({ ...row, website_id: BUSY, log_index: 10_000 + index }));

/**
 * Two addresses: one visits as many pages in half an hour as the bound allows, and one visits one more. Each
 * then opens a page.
 */
const sentOften = [50, 51].flatMap((times) => {
  const own = { client_ip: `192.0.2.${times}`, ai_operator: 'OpenAI' };
  const last = { ...own, ai_operator: '', path: '/next', timestamp: START + HALF_HOUR - 1 };
  const visits = Array.from({ length: times }, (_, index) => ({
    ...own,
    path: `/sent/${times}/${index}`,
    timestamp: START + index,
  }));
  return [...visits, last];
});

/** A flood by one client: one address, one half hour, an assistant's referrer each time. */
const FLOOD = 20_000;
const flood = `INSERT INTO requests (website_id, timestamp, received_at, log_offset, client_ip, method, path, file_type, status, traffic_class,
    ai_operator, retention_days)
  SELECT 'flood', fromUnixTimestamp64Milli(${START} + intDiv(number * ${HALF_HOUR}, ${FLOOD}), 'UTC'), now(), number, toIPv6('::ffff:192.0.2.1'), 'GET',
    concat('/', leftPad(toString(number % 100), 500, 'x')), 'html', 200, 'human', 'OpenAI', 3650
  FROM numbers(${FLOOD})`;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const often = sentOften.map((row, index) =>
    storedRequest({ ...row, website_id: SENT_OFTEN, log_index: 30_000 + index }),
  );
  await insertStored(engine.clickhouse, [...websites.flat(), ...edges, ...busy, ...often], {
    deduplicationToken: 'rows',
  });
  await engine.clickhouse.command(flood);
});
afterAll(() => engine?.stop());

/** The engine has too many views for this process to fold, so it folds them itself. */
const byEngine: ClickHouseReader = {
  read: (query) =>
    query.name === 'follow_on.views'
      ? Promise.reject(new AnswerTooLongError('too long'))
      : engine.clickhouse.read(query),
};

const window = { start: START, end: START + 60 * MINUTE };

interface Case {
  readonly filters: Filters;
  readonly operator?: string;
  readonly chooses: (row: StoredRequest) => boolean;
}

async function expectTrue(
  websiteId: string,
  rows: readonly StoredRequest[],
  { filters, operator, chooses }: Case,
) {
  const visits = visitsIn(
    rows.filter(
      (row) => isAiVisit(row) && row.timestamp >= window.start && row.timestamp < window.end && chooses(row),
    ),
  );
  const expected = [...followOn(visits, rows)].map(([path, page]) => [
    path,
    { judged: page.judged, bounced: page.bounced, next: topNext(page) },
  ]);
  const paths = [...new Set(rows.map(({ path }) => path))];
  for (const reader of [engine.clickhouse, byEngine]) {
    const found = await readFollowOn(reader, { websiteId, window, filters }, { paths, operator });
    expect(Object.fromEntries(found), websiteId).toEqual(Object.fromEntries(expected));
  }
  return expected.length;
}

describe('the next pages', () => {
  const cases: Record<string, Case> = {
    'of all visits': { filters: {}, chooses: () => true },
    "of one operator's visits": {
      filters: {},
      operator: 'openai',
      chooses: (row) => row.ai_operator === 'OpenAI',
    },
    'of visits from one country, followed from any country': {
      filters: { countries: ['DE'] },
      chooses: (row) => row.country === 'DE',
    },
    'of visits in a segment, followed by pages outside of it': {
      filters: { segment: { rules: [{ type: 'prefix', value: '/g' }], excludeRules: [] } },
      chooses: (row) => row.path.startsWith('/g'),
    },
  };
  test.each(Object.entries(cases))(
    '%s, equal a look at each visit',
    async (_name, one) => {
      let pages = 0;
      for (const [website, rows] of websites.entries())
        pages += await expectTrue(`site-${website}`, rows, one);
      expect(pages).toBeGreaterThan(WEBSITES / 6);
    },
    300_000,
  );

  test('follow later than the visit, by half an hour at most', async () => {
    await expectTrue('edges', edges, { filters: {}, chooses: () => true });
    const scope = { websiteId: 'edges', window, filters: {} };
    const paths = EDGES.map((_, index) => `/landing/${index}`);
    const found = await readFollowOn(engine.clickhouse, scope, { paths });
    expect(paths.map((path) => found.get(path)?.bounced)).toEqual([1, 1, 0, 0, 1]);
  });

  test('exclude addresses with more pages than a person can read', async () => {
    await expectTrue(BUSY, busy, { filters: {}, chooses: () => true });
    const found = await readFollowOn(
      engine.clickhouse,
      { websiteId: BUSY, window, filters: {} },
      { paths: ['/'] },
    );
    expect(found.get('/')).toEqual({ judged: 1, bounced: 0, next: [{ path: '/next', visitors: 1 }] });
  });

  test('exclude addresses with more visits from assistants than a person has', async () => {
    const rows = sentOften.map((row, index) =>
      storedRequest({ ...row, website_id: SENT_OFTEN, log_index: 30_000 + index }),
    );
    await expectTrue(SENT_OFTEN, rows, { filters: {}, chooses: () => true });
    const scope = { websiteId: SENT_OFTEN, window, filters: {} };
    const found = await readFollowOn(engine.clickhouse, scope, { paths: ['/sent/50/0', '/sent/51/0'] });
    expect([...found.keys()]).toEqual(['/sent/50/0']);
  });

  test('one address cannot make the read too large for the others', async () => {
    const scope = { websiteId: 'flood', window, filters: {} };
    const paths = Array.from({ length: 100 }, (_, index) => `/${String(index).padStart(500, 'x')}`);
    expect(await readFollowOn(engine.clickhouse, scope, { paths })).toEqual(new Map());
    expect(await readFollowOn(byEngine, scope, { paths })).toEqual(new Map());
  });

  test('a read that is too large for one statement is split in halves', async () => {
    const statements: number[] = [];
    const narrow: ClickHouseReader = {
      read(query) {
        const asked = query.params.follow_on_paths as readonly string[] | undefined;
        if (asked === undefined || query.name === 'follow_on.views') return byEngine.read(query);
        statements.push(asked.length);
        if (asked.length > 1) return Promise.reject(new ReadTooLargeError('too large'));
        return engine.clickhouse.read(query);
      },
    };
    const scope = { websiteId: 'edges', window, filters: {} };
    const paths = EDGES.map((_, index) => `/landing/${index}`);
    const whole = await readFollowOn(engine.clickhouse, scope, { paths });
    expect(whole.size).toBe(EDGES.length);
    expect(await readFollowOn(narrow, scope, { paths })).toEqual(whole);
    expect(statements).toEqual([5, 3, 2, 1, 1, 1, 2, 1, 1]);
  });
});
