import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScopeInput } from '../../services/api/operation/resolve-scope.js';
import { getPageImportance } from '../../services/api/operations/urls/get-page-importance.js';
import { getUrl } from '../../services/api/operations/urls/get-url.js';
import { searchUrls } from '../../services/api/operations/urls/search-urls.js';
import { importanceJob } from '../../services/jobs/importance/importance-job.js';
import { readImportanceBuild } from '../../shared/reads/seo/page-importance-sql.js';
import { normalPath, normalSpelling } from '../../shared/urls/normal-spelling.js';
import { casesFor } from '../harness/runs.js';
import { googlebot, insertStored, storedRequest } from '../harness/stored-requests.js';
import { DAY, HOUR } from './counting.js';
import { type AllRows, pageImportance, urlLogs, urlSearch, urlSections } from './expected-urls.js';
import { NOW } from './random-requests.js';
import { differences } from './same-answer.js';
import { ownSegments, segments } from './segments.js';
import { windows } from './true-reads.js';
import { startTruthWorld, type TruthWorld } from './truth-world.js';

/**
 * Compares the report on one URL, page importance and URL search with counts over the rows (truth-world.ts).
 */

let world: TruthWorld;
beforeAll(async () => {
  world = await startTruthWorld(segments);
}, 300_000);
afterAll(() => world?.stop());

const all = (websiteId: string): AllRows => ({
  rows: world.requests[websiteId]!,
  verdicts: world.verdicts,
  now: NOW,
});

let builds = 0;
const job = importanceJob(() => `build-${builds++}`);
const build = (id: string, now = NOW) => job.run({ id }, { clickhouse: world.clickhouse, now: () => now });

const importanceOf = (websiteId: string, given: Record<string, string> = {}) =>
  getPageImportance.run(getPageImportance.query.parse(given), world.contextOf(websiteId));

const find = (websiteId: string, given: Record<string, string>) =>
  searchUrls.run(searchUrls.query.parse(given), world.contextOf(websiteId));

const report = (given: Record<string, string>, websiteId = 'shop') =>
  getUrl.run(getUrl.query.parse(given), world.contextOf(websiteId));

const searches = ['', '/', 'product-1', '/SHOP/Product-2', 'hop/', '/archive/29', "it's\\", '\t', 'nowhere'];

async function expectFound(websiteId: string) {
  for (const q of searches) {
    const answer = await find(websiteId, { q, limit: '50' });
    expect([q, differences(answer, urlSearch(all(websiteId), normalSpelling(q.trim()), 50))]).toEqual([
      q,
      [],
    ]);
  }
}

describe('before the first build', () => {
  test('page-importance and url report that there is none', async () => {
    expect(await importanceOf('shop')).toMatchObject({
      available: false,
      reason: 'not_built_yet',
      bots: [],
      pages: null,
    });
    const { importance } = await report({ path: '/shop' });
    expect(importance).toEqual({
      available: false,
      reason: 'not_built_yet',
      generated_at: null,
      stale: null,
      families: [],
    });
  });

  test('urls/search counts the days itself', async () => {
    await expectFound('rival');
  });

  test('an interrupted build is ignored', async () => {
    let statements = 0;
    const broken = {
      read: world.clickhouse.read,
      command: async (...given: Parameters<typeof world.clickhouse.command>) => {
        if (++statements > 2) throw new Error('cut off');
        await world.clickhouse.command(...given);
      },
    };
    const cutOff = job.run({ id: 'shop' }, { clickhouse: broken, now: () => NOW });
    await expect(cutOff).rejects.toThrow('cut off');
    expect((await importanceOf('shop')).available).toBe(false);
  });
});

test('a build that found no page does not hide later rows', async () => {
  await build('late', NOW - HOUR);
  const rows = [1, 30].map((days) =>
    storedRequest({
      ...googlebot,
      website_id: 'late',
      timestamp: NOW - days * DAY,
      path: '/late',
      log_index: days,
      received_at: NOW,
    }),
  );
  await insertStored(world.clickhouse, rows, { deduplicationToken: 'late', retentionDays: 25_000 });
  const { results } = await find('late', {});
  expect(results.map(({ path, crawls }) => [path, crawls])).toEqual([['/late', 2]]);
  expect((await report({ path: '/late' }, 'late')).sitemap).toMatchObject({ times_crawled: 2 });
});

test('rows that are stored after a build and dated before it are found, and make the build stale until the next one', async () => {
  const row = (path: string, days: number) =>
    storedRequest({
      ...{ ...googlebot, website_id: 'behind', path, log_index: days, received_at: NOW },
      timestamp: NOW - days * DAY,
    });
  const store = (rows: ReturnType<typeof row>[], deduplicationToken: string) =>
    insertStored(world.clickhouse, rows, { deduplicationToken, retentionDays: 25_000 });
  await store([row('/early', 0), row('/early', 3)], 'behind');
  await build('behind');
  expect(await importanceOf('behind')).toMatchObject({ stale: false, total_crawls: 2 });
  await store([row('/backfilled', 2), row('/early', 5)], 'behind, later');
  const { results } = await find('behind', {});
  expect(results.map(({ path, crawls }) => [path, crawls])).toEqual([
    ['/early', 3],
    ['/backfilled', 1],
  ]);
  expect((await report({ path: '/backfilled' }, 'behind')).sitemap).toMatchObject({ times_crawled: 1 });
  expect(await importanceOf('behind')).toMatchObject({ stale: true, total_crawls: 2 });
  // The job checks several times a day.
  await build('behind', NOW + 1);
  expect(await importanceOf('behind')).toMatchObject({ stale: false, total_crawls: 4 });
});

test.each([
  ['today', 0, 'verified', 'verified'],
  ['yesterday', 1, 'verified', 'verified'],
  ['unproved', 1, 'unverifiable', 'unproved'],
] as const)(
  'the crawl basis of a website with one fetch: %s',
  async (websiteId, days, verification, basis) => {
    const of = { website_id: `basis-${websiteId}`, timestamp: NOW - days * DAY, received_at: NOW };
    const row = storedRequest({ ...googlebot, ...of, bot_verification: verification });
    await insertStored(world.clickhouse, [row], { deduplicationToken: of.website_id, retentionDays: 25_000 });
    expect((await report({ path: row.path }, of.website_id)).sitemap).toMatchObject({
      ...{ crawl_basis: basis, times_crawled: 1 },
    });
  },
);

test('urls/search adds rows since a build to its counts', async () => {
  await build('rival', NOW - 3 * DAY);
  await expectFound('rival');
});

describe('after a build', () => {
  beforeAll(async () => {
    for (const websiteId of ['shop', 'rival', 'silent']) await build(websiteId);
  }, 120_000);

  test.each(['shop', 'rival'])('page-importance equals a count over the rows of %s', async (websiteId) => {
    const first = await importanceOf(websiteId);
    expect(first.bots.length).toBeGreaterThan(1);
    expect(differences(first, pageImportance(all(websiteId), { limit: 200 }))).toEqual([]);
    for (const bot of first.bots) {
      const answer = await importanceOf(websiteId, { bot: bot.toUpperCase(), full: '1', limit: '1' });
      expect(differences(answer, pageImportance(all(websiteId), { bot, limit: 100_000 }))).toEqual([]);
      expect(answer.pages).toHaveLength(answer.page_count!);
    }
  });

  test('limit cuts only the pages', async () => {
    expect(
      differences(await importanceOf('shop', { limit: '3' }), pageImportance(all('shop'), { limit: 3 })),
    ).toEqual([]);
  });

  test('an unknown family is refused with a list of the known ones', async () => {
    const { bots } = await importanceOf('shop');
    await expect(importanceOf('shop', { bot: 'OpenAI' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(bots.join(', ')),
    });
  });

  test('a website without crawlers has no build', async () => {
    expect(await importanceOf('silent')).toMatchObject({
      available: false,
      reason: 'not_built_yet',
      bots: [],
      pages: null,
    });
  });

  test.each(['shop', 'rival'])('urls/search equals a count over the rows of %s', expectFound);

  test('urls/search accepts full URLs, and removes everything except the path', async () => {
    const expected = await find('shop', { q: '/shop/product-1' });
    expect(expected.results.length).toBeGreaterThan(0);
    for (const q of [
      'https://www.example.com/shop/product-1?page=2#top',
      'HTTP://shop.example.com:8080/shop/product-1',
      'example.com/shop/product-1?x',
      ' /shop/product-1 ',
    ])
      expect(await find('shop', { q })).toEqual(expected);
    await expect(async () => find('shop', { q: 'https://other.example/shop' })).rejects.toThrow(
      'q: expected a URL of www.example.com',
    );
    const most = await find('shop', {});
    for (const q of ['?page=2', '#top']) expect(await find('shop', { q })).toEqual(most);
    expect((await find('shop', { q: 'https://example.com' })).results).toEqual(most.results);
  });
});

describe('url equals a count over the rows', () => {
  const paths = ['/', '/shop', '/shop/', "/it's\\here", '/über', '/shop/product-7', '/nowhere'];
  const narrowings: Record<string, string>[] = [
    {},
    { countries: 'de,fr' },
    { bot_verified: 'true' },
    { bot_name: 'googlebot', status_category: '2xx' },
    ...ownSegments.map(({ id }) => ({ segment: id })),
  ];

  async function expectTrue(path: string, given: Record<string, string>, websiteId = 'shop') {
    const input = getUrl.query.parse({ path, ...given });
    const answer = await report({ path, ...given }, websiteId);
    const narrowed = world.truthOf(websiteId, input as unknown as ScopeInput);
    const { hours, start, end } = input;
    const whole = world.truthOf(websiteId, { hours, start, end } as unknown as ScopeInput);
    const { logs, window, data_since, complete_since, search_bots, sitemap, importance } = answer;
    const stored = normalPath(path);
    expect(differences(logs, urlLogs(narrowed, stored))).toEqual([]);
    expect(
      differences(
        { window, data_since, complete_since, search_bots, sitemap, importance },
        urlSections(whole, all(websiteId), stored),
      ),
    ).toEqual([]);
    expect(answer.data_buffering).toBe(false);
    return logs!.requests;
  }

  test.each(Object.keys(windows).map((name, index) => [name, index] as const))('%s', async (name, index) => {
    let requests = await expectTrue('/shop', windows[name]!);
    for (const path of casesFor(index, paths, 2)) requests += await expectTrue(path, windows[name]!);
    expect(requests).toBeGreaterThan(0);
    expect(await expectTrue('/shop', windows[name]!, 'rival')).toBeGreaterThan(0);
  });

  const askedFor = ['/shop', '/archive/7'].flatMap((path) => [
    { path, ...windows['cut days far apart'] },
    { path, hours: '24' },
  ]);

  test.each(narrowings.map((narrowing, index) => [narrowing, index] as const))(
    'narrowed by %j',
    async (narrowing, index) => {
      for (const { path, ...window } of casesFor(index, askedFor, 1))
        await expectTrue(path, { ...window, ...narrowing });
    },
  );

  test('text around a path is removed, and its case is preserved', async () => {
    const { logs } = await report({ path: '/shop' });
    expect(logs!.requests).toBeGreaterThan(0);
    for (const path of [
      '/shop?page=2',
      '/shop#top',
      'https://www.example.com/shop',
      'http://shop.example.com:81/shop',
    ])
      expect((await report({ path })).logs).toEqual(logs);
    expect((await report({ path: '/SHOP' })).logs!.requests).toBe(0);
  });
});

describe('the score of a page', () => {
  const row = (given: Partial<Parameters<typeof storedRequest>[0]>) =>
    storedRequest({ ...googlebot, website_id: 'small', timestamp: NOW - HOUR, path: '/page', ...given });

  beforeAll(async () => {
    const rows = [
      ...Array.from({ length: 9 }, (_, index) => row({ timestamp: NOW - index * DAY - 1 })),
      row({ status: 304 }),
      row({ status: 301 }),
      row({ status: 404, path: '/gone' }),
      row({ path: '/style.css', file_type: 'css' }),
      row({ path: '/impostor', bot_verification: 'spoofed', traffic_class: 'spoofed_bot' }),
      row({ path: '/pending', bot_verification: 'pending', client_ip: '192.0.2.99' }),
      row({ path: '/brave', bot_verification: 'unverifiable', bot_family: 'Brave', bot_name: 'Bravebot' }),
      row({ path: '/ai', bot_category: 'ai', bot_family: 'OpenAI', bot_name: 'GPTBot' }),
      row({ path: '/too-old', timestamp: NOW - (NOW % DAY) - 89 * DAY - 1 }),
      row({ path: '/oldest', timestamp: NOW - (NOW % DAY) - 89 * DAY }),
    ].map((one, index) => ({ ...one, received_at: NOW, log_index: index }));
    await insertStored(world.clickhouse, rows, { deduplicationToken: 'small', retentionDays: 25_000 });
    await build('small');
    const claims = [
      row({ bot_verification: 'pending', client_ip: '192.0.2.99' }),
      row({ bot_verification: 'unverifiable', path: '/other' }),
      row({ bot_verification: 'spoofed', traffic_class: 'spoofed_bot', path: '/impostor' }),
    ].map((one, index) => ({ ...one, website_id: 'claims', received_at: NOW, log_index: index }));
    await insertStored(world.clickhouse, claims, { deduplicationToken: 'claims', retentionDays: 25_000 });
    await build('claims');
    const brave = { bot_family: 'Brave', bot_name: 'Bravebot', bot_verification: 'unverifiable' } as const;
    const ahead = [
      row({ path: '/proved' }),
      row({ ...brave, path: '/a' }),
      row({ ...brave, path: '/a' }),
      row({ bot_family: 'Bing', bot_name: 'bingbot', bot_verification: 'pending', client_ip: '192.0.2.98' }),
    ].map((one, index) => ({ ...one, website_id: 'ahead', received_at: NOW, log_index: index }));
    await insertStored(world.clickhouse, ahead, { deduplicationToken: 'ahead', retentionDays: 25_000 });
    await build('ahead');
  }, 120_000);

  test('without a bot, a family with verified requests precedes those with more claims or an earlier name', async () => {
    expect(await importanceOf('ahead')).toMatchObject({
      ...{ bot: 'Google', crawl_basis: 'verified', bots: ['Brave', 'Bing', 'Google'] },
      pages: [{ path: '/proved', crawls: 1 }],
    });
  });

  test('excludes assets, redirects, errors, impostors, unverified claims and requests before the 90 days', async () => {
    const { pages, bots, total_crawls, crawl_basis } = await importanceOf('small');
    expect([bots, crawl_basis]).toEqual([['Google', 'Brave'], 'verified']);
    expect(pages).toEqual([
      { path: '/page', crawls: 10, score: 10 },
      // 10 · ln 2 / ln 11
      { path: '/oldest', crawls: 1, score: 2.9 },
    ]);
    expect(total_crawls).toBe(11);
  });

  test('a family without a verified request counts by its claims, and the answer says so', async () => {
    const brave = await importanceOf('small', { bot: 'Brave' });
    expect(brave).toMatchObject({ crawl_basis: 'unproved', pages: [{ path: '/brave', crawls: 1 }] });
    const { importance } = await report({ path: '/brave' }, 'small');
    expect(importance!.families).toMatchObject([{ family: 'Brave', crawl_basis: 'unproved' }]);
  });

  test('without a verified claim, claims count everywhere, except those of impostors', async () => {
    const { pages, crawl_basis } = await importanceOf('claims');
    expect([crawl_basis, pages!.map(({ path }) => path)]).toEqual(['unproved', ['/other', '/page']]);
    const found = await find('claims', {});
    expect([found.crawl_basis, found.results.map(({ path }) => path)]).toEqual([
      'unproved',
      ['/other', '/page'],
    ]);
    const { sitemap, search_bots } = await report({ path: '/page' }, 'claims');
    expect(sitemap).toMatchObject({ crawl_basis: 'unproved', times_crawled: 1 });
    expect(search_bots).toMatchObject([{ fetches: 1, verified_requests: 0, unproved_requests: 1 }]);
  });

  test('all fetches of a URL count with any status', async () => {
    const { results } = await find('small', {});
    expect(results.map(({ path, crawls }) => [path, crawls])).toEqual([
      ['/page', 11],
      ...['/gone', '/oldest', '/style.css'].map((path) => [path, 1]),
    ]);
  });

  test('the interval is the mean of the days between fetches', async () => {
    const { importance } = await report({ path: '/page' }, 'small');
    expect(importance!.families[0]).toMatchObject({ family: 'Google', interval_days: 0.89 });
    const { importance: once } = await report({ path: '/oldest' }, 'small');
    expect(once!.families[0]!.interval_days).toBeNull();
  });

  test('a build is read for a week', async () => {
    expect(await readImportanceBuild(world.clickhouse, 'small', NOW + 7 * DAY - 1)).not.toBeNull();
    expect(await readImportanceBuild(world.clickhouse, 'small', NOW + 7 * DAY)).toBeNull();
  });
});
