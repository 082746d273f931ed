import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { insertStored, type StoredRequest, storedRequest } from '../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../test/harness/stored-verdicts.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import {
  createGroupFinder,
  createRuleMatcher,
  type RobotsPolicy,
  rulesOf,
} from '../../robots/match-rules.js';
import { parseRobots } from '../../robots/parse-robots.js';
import type { Scope } from '../sql/scope.js';
import { robots } from './robots.js';
import type { StoredRobotsFetch } from './robots-sql.js';
import { insertRobotsFetch } from './robots-sql.js';

/** Compares the read on an engine with a plain count over the same requests, each judged by the version in force at its time. */

const NOW = Date.UTC(2026, 10, 3, 14, 37, 21, 123);
const SITE = 'shop';

/** Days before now, with the text that was found, null for a missing file, or the failure. */
const history: readonly (readonly [daysAgo: number, hash: string, text: string | null | 'unreachable'])[] = [
  [
    9.3,
    'a',
    'user-agent: *\ndisallow: /cart\ndisallow: /page$\nallow: /cart/help\nsitemap: https://shop.example/s.xml',
  ],
  [7.1, 'b', 'user-agent: *\ndisallow: /*?sort=\ndisallow: /*.pdf$\n\nuser-agent: GPTBot\ndisallow: /'],
  [5.2, 'b', 'unreachable'],
  [4.4, '', null],
  [
    3.7,
    'c',
    'user-agent: *\ndisallow: /search?q=\nallow: /search?q=help\ndisallow: /caf%C3%A9\n\nuser-agent: Googlebot\ncrawl-delay: 2\ndisallow: /cart',
  ],
  [
    1.2,
    'd',
    'user-agent: adsbot-google\ndisallow: /page\n\nuser-agent: *\nuser-agent: Googlebot\ndisallow: /',
  ],
  [
    0.6,
    'a',
    'user-agent: *\ndisallow: /cart\ndisallow: /page$\nallow: /cart/help\nsitemap: https://shop.example/s.xml',
  ],
  [0.2, 'a', 'unreachable'],
];

const fetchedAt = (daysAgo: number) => Math.round(NOW - daysAgo * DAY_MS);

type Bot = Pick<StoredRequest, 'bot_name' | 'bot_family' | 'bot_category' | 'ai_intent'>;
const bot = (
  bot_name: string,
  bot_family: string,
  bot_category: Bot['bot_category'],
  ai_intent: Bot['ai_intent'] = '',
) => ({
  bot_name,
  bot_family,
  bot_category,
  ai_intent,
});

/** The policy by which each bot finds its rules; null: robots.txt does not apply to it. */
const bots: readonly (readonly [Bot, RobotsPolicy | null])[] = [
  [bot('Googlebot', 'Google', 'search'), { tokens: ['Googlebot'] }],
  [bot('Googlebot-Image', 'Google', 'search'), { tokens: ['Googlebot-Image', 'Googlebot'] }],
  [bot('AdsBot-Google', 'Google', 'advertising'), { tokens: ['AdsBot-Google'], followsWildcardGroup: false }],
  [bot('bingbot', 'Bing', 'search'), { tokens: ['bingbot'] }],
  [bot('GPTBot', 'OpenAI', 'ai', 'training'), { tokens: ['GPTBot'] }],
  [bot('ChatGPT-User', 'OpenAI', 'ai', 'fetcher'), null],
  [bot('UptimeRobot', 'UptimeRobot', 'monitoring'), null],
];

const paths = [
  '/',
  '/cart',
  '/cart/help',
  '/c%61rt/x',
  '/page',
  '/page/2',
  '/a.pdf',
  '/a.PDF',
  '/search',
  '/caf%c3%a9',
  '/café',
];
const queries = ['', '', 'sort=price', 'q=shoes', 'q=help', 'x=.pdf'];

const request = fc.record({
  ago: fc.oneof(
    fc.integer({ min: 1, max: 12 * DAY_MS }),
    fc.constantFrom(...history.flatMap(([days]) => [NOW - fetchedAt(days), NOW - fetchedAt(days) + 1])),
  ),
  bot: fc.constantFrom(...bots),
  path: fc.constantFrom(...paths),
  query: fc.constantFrom(...queries),
  claim: fc.constantFrom(
    'verified' as const,
    'verified' as const,
    'spoofed' as const,
    'unverifiable' as const,
    'pending' as const,
  ),
  address: fc.integer({ min: 1, max: 6 }),
  country: fc.constantFrom('DE', 'FR'),
  file_type: fc.constantFrom('html', 'pdf'),
});

/** Pending claims of even addresses are verified later. */
const isVerified = ({ bot_verification, client_ip }: StoredRequest) =>
  bot_verification === 'verified' || (bot_verification === 'pending' && Number(client_ip.at(-1)) % 2 === 0);

const requests: StoredRequest[] = fc
  .sample(request, { numRuns: 6_000, seed: 20_261_103 })
  .map(({ ago, bot: [who], path, query, claim, address, country, file_type }, index) =>
    storedRequest({
      website_id: SITE,
      timestamp: NOW - ago,
      ...who,
      is_bot: true,
      traffic_class: claim === 'spoofed' ? 'spoofed_bot' : 'other_bot',
      bot_verification: claim,
      client_ip: `198.51.100.${address}`,
      path,
      query,
      target: path + (query === '' ? '' : `?${query}`),
      country,
      file_type,
      log_index: index,
    }),
  );

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const stored = requests.map((one) => ({ ...one, received_at: NOW }));
  await insertStored(engine.clickhouse, stored, { deduplicationToken: 'all', retentionDays: 25_000 });
  const pairs = new Set(
    requests
      .filter((one) => one.bot_verification === 'pending')
      .map((one) => `${one.bot_family} ${one.client_ip}`),
  );
  await insertVerdicts(
    engine.clickhouse,
    [...pairs].map((pair) => {
      const [family, clientIp] = pair.split(' ') as [string, string];
      const status = Number(clientIp.at(-1)) % 2 === 0 ? ('verified' as const) : ('spoofed' as const);
      return { websiteId: SITE, family, clientIp, status, decidedAt: NOW };
    }),
    'verdicts',
  );
  for (const [daysAgo, hash, text] of history) {
    const failed = text === 'unreachable';
    const fetch: StoredRobotsFetch = {
      fetchedAt: fetchedAt(daysAgo),
      outcome: failed ? 'unreachable' : text === null ? 'missing' : 'found',
      hash: failed ? '' : hash,
      httpStatus: failed ? 0 : text === null ? 404 : 200,
      finalUrl: 'https://shop.example/robots.txt',
      problem: failed ? 'shop.example took too long.' : '',
    };
    const version = failed || text === null ? null : { hash, content: text, isTruncated: false };
    // Twice: a repeated write changes nothing.
    await insertRobotsFetch(engine.clickhouse, SITE, fetch, version);
    await insertRobotsFetch(engine.clickhouse, SITE, fetch, version);
  }
});
afterAll(() => engine?.stop());

/** Text in force at a time; '' for no file, null if unknown. */
function textAt(time: number): string | null {
  const latest = history
    .filter(([daysAgo, , text]) => text !== 'unreachable' && fetchedAt(daysAgo) <= time)
    .at(-1);
  return latest === undefined ? null : (latest[2] ?? '');
}

interface Counted {
  requests: number;
  last: number;
}

function countViolations({ window }: Scope, isAsked: (row: StoredRequest) => boolean): Map<string, Counted> {
  const found = new Map<string, Counted>();
  for (const row of requests) {
    const text = textAt(row.timestamp);
    const policy = bots.find(([{ bot_name }]) => bot_name === row.bot_name)![1];
    const isInside = row.timestamp >= window.start && row.timestamp < window.end;
    if (!isInside || text === null || policy === null || !isVerified(row) || !isAsked(row)) continue;
    const rule = createRuleMatcher(rulesOf(createGroupFinder(parseRobots(text))(policy)))(row.target);
    if (rule === null) continue;
    const key = `${row.bot_name} ${row.path} Disallow: ${rule.path}`;
    const counted = found.get(key) ?? { requests: 0, last: 0 };
    found.set(key, { requests: counted.requests + 1, last: Math.max(counted.last, row.timestamp) });
  }
  return found;
}

const scopeOf = (window: Scope['window'], filters: Scope['filters'] = {}): Scope => ({
  websiteId: SITE,
  window,
  filters,
});
const lastHours = (hours: number): Scope['window'] => ({
  start: Math.floor((NOW - hours * HOUR_MS) / HOUR_MS) * HOUR_MS,
  end: NOW,
  running: true,
});

async function expectTrue(
  scope: Scope,
  named?: string,
  isAsked: (row: StoredRequest) => boolean = () => true,
) {
  const input = { domain: 'shop.example', fetchesWebsites: true, bot: named };
  const answer = await robots.read(engine.clickhouse, scope, input);
  const expected = countViolations(scope, isAsked);
  const listed = (answer.violations ?? []).map((one) => [
    `${one.bot_name} ${one.path} ${one.rule}`,
    { requests: one.requests, last: Date.parse(one.last_seen) },
  ]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
  expect(answer.violations_total).toBe(answer.judged_since === null ? null : expected.size);
  const total = (values: readonly { total_requests: number }[]) =>
    values.reduce((sum, one) => sum + one.total_requests, 0);
  expect(total(Object.values(answer.violation_summary ?? {}))).toBe(
    [...expected.values()].reduce((sum, one) => sum + one.requests, 0),
  );
  return { answer, expected };
}

describe('violations of robots.txt equal a count over the requests', () => {
  test.each([
    ['in the last days, over every version', lastHours(24 * 11)],
    ['in the last day', lastHours(24)],
    ['in the last hour', lastHours(1)],
    ['in a week that is cut', { start: NOW - 8 * DAY_MS + 7, end: NOW - DAY_MS - 13 }],
    ['in minutes', { start: NOW - 2 * DAY_MS, end: NOW - 2 * DAY_MS + 40 * MINUTE_MS }],
  ])('%s', async (name, window) => {
    const { expected } = await expectTrue(scopeOf(window));
    if (name.includes('days') || name.includes('week')) expect(expected.size).toBeGreaterThan(10);
  });

  test('of one crawler, by its name or its family', async () => {
    const scope = scopeOf(lastHours(24 * 11));
    const { expected } = await expectTrue(
      scope,
      'googlebot-image',
      (row) => row.bot_name === 'Googlebot-Image',
    );
    expect(expected.size).toBeGreaterThan(1);
    await expectTrue(scope, 'GOOGLE', (row) => row.bot_family === 'Google');
    await expectTrue(scope, 'nobody', () => false);
  });

  test('narrowed by the common filters of reads', async () => {
    const window = lastHours(24 * 11);
    await expectTrue(scopeOf(window, { hasQuery: true }), undefined, (row) => row.query !== '');
    await expectTrue(scopeOf(window, { hasQuery: false }), undefined, (row) => row.query === '');
    await expectTrue(scopeOf(window, { statusClass: 4 }), undefined, () => false);
    await expectTrue(
      scopeOf(window, { fileTypes: ['html'], countries: ['DE'] }),
      undefined,
      (row) => row.country === 'DE' && row.file_type === 'html',
    );
  });
});

describe('the answer', () => {
  test('shows the version in force, although the last fetch failed, and earlier versions', async () => {
    const { answer } = await expectTrue(scopeOf(lastHours(24)));
    const instantOf = (daysAgo: number) => new Date(fetchedAt(daysAgo)).toISOString();
    expect(answer).toMatchObject({
      status: 'unreachable',
      fetched_at: instantOf(0.2),
      problem: 'shop.example took too long.',
      http_status: null,
      fetch_blocked: false,
      using_saved: true,
      raw_content: history[0]![2],
      rule_groups: [
        {
          user_agent: '*',
          rules: [
            { type: 'disallow', path: '/cart' },
            { type: 'disallow', path: '/page$' },
            { type: 'allow', path: '/cart/help' },
          ],
        },
      ],
      sitemaps: ['https://shop.example/s.xml'],
      current_hash: 'a',
      is_new_version: true,
      violations_complete: true,
    });
    expect(answer.history.map(({ hash, from, until }) => [hash, from, until])).toEqual([
      ['a', instantOf(0.6), null],
      ['d', instantOf(1.2), instantOf(0.6)],
      ['c', instantOf(3.7), instantOf(1.2)],
      [null, instantOf(4.4), instantOf(3.7)],
      ['b', instantOf(7.1), instantOf(4.4)],
      ['a', instantOf(9.3), instantOf(7.1)],
    ]);
    expect(answer.history[3]).toMatchObject({
      added_lines: [],
      removed_lines: [
        'user-agent: *',
        'disallow: /*?sort=',
        'disallow: /*.pdf$',
        'user-agent: GPTBot',
        'disallow: /',
      ],
    });
    expect(answer.history[5]).toMatchObject({ added_lines: null, removed_lines: null });
    const { answer: short } = await expectTrue(scopeOf(lastHours(1)));
    expect(short.is_new_version).toBe(false);
  });

  test('shows the time from which requests are judged', async () => {
    const { answer } = await expectTrue(scopeOf(lastHours(24 * 11)));
    expect(answer.judged_since).toBe(new Date(fetchedAt(9.3)).toISOString());
    const { answer: before } = await expectTrue(
      scopeOf({ start: NOW - 12 * DAY_MS, end: NOW - 10 * DAY_MS }),
    );
    expect(before).toMatchObject({ judged_since: null, violations: null, violations_complete: false });
  });

  test('of a website that was never fetched shows that, and judges nothing', async () => {
    const scope = { ...scopeOf(lastHours(24)), websiteId: 'new' };
    const input = { domain: 'new.example', fetchesWebsites: true };
    const answer = await robots.read(engine.clickhouse, scope, input);
    const off = await robots.read(engine.clickhouse, scope, { ...input, fetchesWebsites: false });
    expect(off).toEqual({ ...answer, status: 'fetching_is_off' });
    expect(answer).toMatchObject({
      status: 'not_fetched_yet',
      fetched_at: null,
      raw_content: null,
      current_hash: null,
      rule_groups: null,
      sitemaps: null,
      history: [],
      violations: null,
      violations_total: null,
      violations_complete: false,
      violation_summary: null,
      judged_since: null,
      using_saved: false,
      is_new_version: false,
    });
  });
});
