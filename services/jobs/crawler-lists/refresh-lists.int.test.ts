import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FollowedLists, followLists } from '../../../shared/crawlers/follow-lists.js';
import type { Feed } from '../../../shared/crawlers/table-schema.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { startLocalServer } from '../../../test/harness/local-server.js';
import { type ListRefreshDeps, refreshLists } from './refresh-lists.js';

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  for (const table of ['crawler_lists', 'crawler_list_checks'])
    await engine.clickhouse.command(`TRUNCATE TABLE ${table}`);
});

const logger = pino({ level: 'silent' });
const START = Date.parse('2026-11-20T10:00:00Z');
const ORIGIN = 'https://operator.example';

const feed = (name: string): Feed => ({
  name,
  operator: 'Example',
  urls: [`${ORIGIN}/${name}.json`],
  format: 'prefixes',
  min_prefixes: 1,
  max_prefixes: 500,
});
const feeds = [feed('bots'), feed('agents')];
const bundled = (name: string) => ({
  feed: name,
  operator: 'Example',
  urls: [`${ORIGIN}/${name}.json`],
  published: null,
  retrieved: '2026-08-20',
  prefixes: ['9.9.9.0/24', '9.9.10.0/24'],
});
const base = {
  table: {
    version: 'crawlers-2026-11',
    crawlers: [],
    exact: [],
    families: [{ name: 'Example', feeds: ['bots', 'agents'], documentation: 'https://example.com' }],
  },
  feeds,
  history: new Map(feeds.map(({ name }) => [name, [bundled(name)]])),
};

const body = (...prefixes: string[]) =>
  JSON.stringify({ prefixes: prefixes.map((ipv4Prefix) => ({ ipv4Prefix })) });

/** An operator's server, an installation that downloads its lists, and a clock. */
async function open() {
  const answers = new Map<string, string | number>();
  const asked: string[] = [];
  const server = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers.get(request.url ?? '') ?? 404;
    response.statusCode = typeof answer === 'number' ? answer : 200;
    response.end(String(answer));
  });
  let now = START;
  const lists: FollowedLists = followLists({ reader: engine.clickhouse, now: () => now, logger, base });
  await lists.ready;
  lists.stop();
  const deps: ListRefreshDeps = {
    feeds,
    clickhouse: engine.clickhouse,
    fetch: createFetcher({
      userAgent: 'LoglaneBot',
      loopback: { origins: new Map([[ORIGIN, server.port]]) },
    }),
    history: () => lists.data().history,
    reread: lists.read,
    now: () => now,
    logger,
  };
  return {
    answers,
    asked,
    lists,
    refresh: () => refreshLists(deps, new AbortController().signal),
    wait: (ms: number) => {
      now += ms;
    },
    verify: (address: string) => lists.rules.verifyByRanges('Example', address, now),
  };
}

test('an address that the operator added is verified after the next refresh, and one outside a fresh list is spoofed', async () => {
  const { answers, lists, refresh, verify, asked, wait } = await open();
  expect([verify('9.9.9.7'), verify('9.9.11.7'), verify('8.8.8.8')]).toEqual(['inside', 'unsure', 'unsure']);
  answers.set('/bots.json', body('9.9.9.0/24', '9.9.11.0/24'));
  answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  await refresh();
  expect([verify('9.9.9.7'), verify('9.9.11.7'), verify('8.8.8.8')]).toEqual(['inside', 'inside', 'outside']);
  expect(lists.age()).toMatchObject({
    newest_list_days: 0,
    oldest_list_days: 0,
    old_lists: [],
    refused_lists: [],
  });
  // Not again on the same day, and one row for an unchanged list.
  await refresh();
  expect(asked).toHaveLength(2);
  wait(DAY_MS);
  await refresh();
  expect(asked).toHaveLength(4);
  expect(lists.data().history.get('bots')).toMatchObject([
    { retrieved: '2026-08-20' },
    { since: '2026-11-20', retrieved: '2026-11-21' },
  ]);
});

test.each([
  ['is missing', 404, /HTTP 404/],
  [
    'grows more than tenfold',
    body(...Array.from({ length: 21 }, (_, n) => `9.8.${n}.0/24`)),
    /21 prefixes after 2/,
  ],
  ['contains everything', body('0.0.0.0/0'), /wider than/],
  ['is a page', '<html></html>', /JSON/],
  ['is endless', 'x'.repeat(5_000_000), /more than the limit/],
])('a list that %s keeps its list of before, and the others go on', async (_, answer, problem) => {
  const { answers, lists, refresh, wait, asked } = await open();
  answers.set('/bots.json', answer);
  answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  await refresh();
  const refused = lists.age().refused_lists;
  expect(refused).toEqual([{ feed: 'bots', problem: expect.stringMatching(problem) }]);
  expect(refused[0]!.problem.length).toBeLessThanOrEqual(300);
  expect(lists.age().old_lists).toEqual(['bots']);
  expect(lists.data().history.get('bots')).toHaveLength(1);
  // It is retried on the same day.
  wait(6 * HOUR_MS);
  await refresh();
  expect(asked.slice(2)).toEqual(['/bots.json']);
  expect(lists.data().history.get('agents')).toHaveLength(2);
});

test('a list of three prefixes that shrinks to one is refused', async () => {
  const { answers, lists, refresh, wait } = await open();
  answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  answers.set('/bots.json', body('9.9.9.0/24', '9.9.10.0/24', '9.9.11.0/24'));
  await refresh();
  answers.set('/bots.json', body('9.9.9.0/24'));
  wait(DAY_MS);
  await refresh();
  expect(lists.age().refused_lists).toMatchObject([
    { feed: 'bots', problem: expect.stringContaining('1 prefixes after 3') },
  ]);
  expect(lists.rules.verifyByRanges('Example', '9.9.11.7', START + DAY_MS)).toBe('inside');
});

test('another process has the lists after its next read', async () => {
  const first = await open();
  first.answers.set('/bots.json', body('9.9.9.0/24', '9.9.11.0/24'));
  first.answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  const second = await open();
  await first.refresh();
  expect(second.verify('9.9.11.7')).toBe('unsure');
  await second.lists.read();
  expect(second.verify('9.9.11.7')).toBe('inside');
});

test.each([
  [
    'covers a thousand times more IPv4 addresses',
    ['9.9.0.0/16', '9.10.0.0/16'],
    /131072 IPv4 addresses after 512/,
  ],
  ['covers a tenth of the IPv4 addresses', ['9.9.9.7/32', '9.9.10.7/32'], /2 IPv4 addresses after 512/],
])('a list with as many prefixes that %s is refused', async (_, prefixes, problem) => {
  const { answers, lists, refresh, verify } = await open();
  answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  answers.set('/bots.json', body(...prefixes));
  await refresh();
  expect(lists.age().refused_lists).toEqual([{ feed: 'bots', problem: expect.stringMatching(problem) }]);
  expect([verify('9.9.9.1'), verify('9.9.200.1')]).toEqual(['inside', 'unsure']);
});

describe('a clock that was ahead', () => {
  async function refreshedAhead(bots: string[]) {
    const opened = await open();
    opened.answers.set('/bots.json', body(...bots));
    opened.answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
    opened.wait(900 * DAY_MS);
    await opened.refresh();
    opened.wait(-900 * DAY_MS);
    await opened.lists.read();
    return opened;
  }

  test.each([
    ['as before', ['9.9.9.0/24', '9.9.10.0/24']],
    ['another', ['9.9.9.0/24', '9.9.11.0/24']],
  ])('leaves no list that counts as fresh (%s)', async (_, bots) => {
    const { verify, lists } = await refreshedAhead(bots);
    expect([verify('9.9.9.7'), verify('8.8.8.8')]).toEqual(['inside', 'unsure']);
    expect(lists.age().old_lists).toEqual(['bots', 'agents']);
  });

  test.each([
    ['as before', ['9.9.9.0/24', '9.9.10.0/24']],
    ['another', ['9.9.9.0/24', '9.9.11.0/24']],
  ])('does not stop the downloads, and the next one counts (%s)', async (_, bots) => {
    const { refresh, asked, verify, lists, wait } = await refreshedAhead(bots);
    await refresh();
    expect(asked).toHaveLength(4);
    expect([verify('9.9.9.7'), verify('8.8.8.8')]).toEqual(['inside', 'outside']);
    expect(lists.age()).toMatchObject({ old_lists: [], newest_list_days: 0, oldest_list_days: 0 });
    wait(40 * DAY_MS);
    await lists.read();
    expect(verify('8.8.8.8')).toBe('unsure');
  });

  test('a list of the same day is stored once more', async () => {
    const opened = await open();
    opened.answers.set('/bots.json', body('9.9.9.0/24', '9.9.11.0/24'));
    opened.answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
    await opened.refresh();
    opened.wait(900 * DAY_MS);
    await opened.refresh();
    opened.wait(-900 * DAY_MS + HOUR_MS);
    await opened.refresh();
    expect(opened.lists.data().history.get('bots')!.at(-1)!.retrieved).toBe('2026-11-20');
    expect(opened.verify('8.8.8.8')).toBe('outside');
  });
});

test('a list that the operator publishes later on the same day counts if the check of the first was not stored', async () => {
  const { answers, refresh, verify } = await open();
  answers.set('/bots.json', body('9.9.9.0/24', '9.9.11.0/24'));
  answers.set('/agents.json', body('9.9.10.0/24', '9.9.12.0/24'));
  await refresh();
  await engine.clickhouse.command('TRUNCATE TABLE crawler_list_checks');
  answers.set('/bots.json', body('9.9.9.0/24', '9.9.13.0/24'));
  await refresh();
  expect([verify('9.9.13.7'), verify('9.9.11.7')]).toEqual(['inside', 'outside']);
});
