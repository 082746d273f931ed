import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { classifyUrl } from '../../sitemaps/site-url.js';
import { normalTarget } from '../../urls/normal-spelling.js';
import { url } from '../urls/url.js';
import { sitemapCoverage } from './sitemap-coverage.js';
import type { CoverageStatus } from './sitemap-coverage-sql.js';
import { insertSitemapFetch, insertSitemapUrls } from './sitemap-writes.js';

const NOW = Date.UTC(2026, 10, 21, 15);
const LATEST = NOW - HOUR_MS;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  const crawl = (given: object) =>
    storedRequest({ ...googlebot, website_id: 'shop', path: '/a', timestamp: LATEST, ...given });
  const bing = { bot_name: 'bingbot', bot_family: 'Bing' };
  await insertStored(
    engine.clickhouse,
    [
      crawl({ bot_name: 'AdsBot-Google', status: 500, file_type: 'pdf' }),
      crawl({ ...bing, status: 404 }),
      crawl({ ...bing, status: 301 }),
      crawl({ status: 503, timestamp: LATEST - DAY_MS }),
      crawl({ path: '/b', status: 404, file_type: 'php' }),
      crawl({ path: '/served' }),
      crawl({ path: '/not-modified', status: 304 }),
      crawl({ path: '/moved', status: 302 }),
      crawl({ path: '/brochure.pdf', file_type: 'pdf' }),
      crawl({ path: '*' }),
      crawl({ website_id: 'twice', path: '/b', status: 404, file_type: 'php' }),
      crawl({ website_id: 'twice', path: '/b', status: 200, file_type: 'html' }),
    ].map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'crawls', retentionDays: 25_000 },
  );
  // The engine's own clock expires the rows.
  const fetch = { fetchedAt: Date.now() };
  const listed = {
    query: '',
    url: 'https://example.com/a',
    sitemap: 'https://example.com/s.xml',
    lastmod: null,
  };
  const tally = { files: 1, failedFiles: 0, urls: 1, foreignUrls: 0, invalidUrls: 0, problems: [] };
  for (const [websiteId, path] of [
    ['shop', '/a'],
    ['twice', '/b'],
  ] as const) {
    const own = { ...fetch, websiteId };
    await insertSitemapUrls(engine.clickhouse, own, [{ path, ...listed }], 0);
    await insertSitemapFetch(engine.clickhouse, own, { complete: true, reason: null, ...tally }, Date.now());
  }
}, 180_000);
afterAll(() => engine?.stop());

/** Stores one complete fetch with these URLs. */
async function listAll(websiteId: string, locs: readonly string[]) {
  const fetch = { websiteId, fetchedAt: Date.now() };
  const urls = locs.map((loc) => {
    const judged = classifyUrl(loc, 'example.com');
    if (judged.kind !== 'own') throw new Error(loc);
    return { ...judged, sitemap: 'https://example.com/s.xml', lastmod: null };
  });
  await insertSitemapUrls(engine.clickhouse, fetch, urls, 0);
  const tally = { files: 1, failedFiles: 0, urls: locs.length, foreignUrls: 0, invalidUrls: 0, problems: [] };
  await insertSitemapFetch(engine.clickhouse, fetch, { complete: true, reason: null, ...tally }, Date.now());
}

/** Fetches of these targets by a search crawler, as the enricher stores them. */
async function crawlAll(websiteId: string, targets: readonly string[]) {
  const rows = targets.map((target, log_index) => {
    const [path = '', query = ''] = normalTarget(target).split('?');
    return storedRequest({ ...googlebot, website_id: websiteId, timestamp: LATEST, log_index, path, query });
  });
  await insertStored(engine.clickhouse, rows, { deduplicationToken: websiteId, retentionDays: 25_000 });
}

const coverage = (status: CoverageStatus, websiteId = 'shop', fetchesWebsites = true) =>
  sitemapCoverage.read(
    engine.clickhouse,
    { websiteId, now: NOW },
    {
      domain: 'example.com',
      fetchesWebsites,
      status,
      sort: 'path',
      descending: false,
      page: 1,
      page_size: 10,
    },
  );

/** A website with one page, /unlisted, that a search crawler fetched. */
async function crawled(websiteId: string) {
  const row = storedRequest({ ...googlebot, website_id: websiteId, path: '/unlisted', timestamp: LATEST });
  await insertStored(engine.clickhouse, [row], { deduplicationToken: websiteId, retentionDays: 25_000 });
}

/** An incomplete fetch that read these pages. */
async function readInPart(websiteId: string, paths: readonly string[], fetchedAt: number) {
  const fetch = { websiteId, fetchedAt };
  const listed = paths.map((path) => ({
    ...{ path, query: '', url: `https://example.com${path}` },
    ...{ sitemap: 'https://example.com/s.xml', lastmod: null },
  }));
  await insertSitemapUrls(engine.clickhouse, fetch, listed, 0);
  const problems = [
    { sitemap: 'https://example.com/s.xml', problem: 'dns' },
    { sitemap: 'https://example.com/t.xml', problem: 'broken_xml' },
    { sitemap: 'https://example.com/u.xml', problem: 'http_503' },
  ];
  const counts = { urls: paths.length, foreignUrls: 0, invalidUrls: 0, failedFiles: 3, problems };
  const walk = {
    complete: false,
    reason: 'files_failed' as const,
    files: paths.length === 0 ? 0 : 1,
    ...counts,
  };
  await insertSitemapFetch(engine.clickhouse, fetch, walk, fetchedAt + 1);
}

test('if several crawlers fetched at the last instant, it shows one fetch, of the same crawler as url', async () => {
  const { urls } = await coverage('all');
  expect(urls).toEqual([
    expect.objectContaining({
      path: '/a',
      crawl_count: 4,
      last_crawl_date: new Date(LATEST).toISOString(),
      last_crawled_by: 'bingbot',
      response_code: 404,
      content_type: 'html',
    }),
  ]);
  const scope = { websiteId: 'shop', window: { start: NOW - DAY_MS, end: NOW }, filters: {} };
  const { sitemap } = await url.read(engine.clickhouse, scope, {
    path: '/a',
    now: NOW,
    connection: null,
    crawl: null,
    analytics: null,
  });
  expect(sitemap.last_crawled_by).toBe(urls![0]!.last_crawled_by);
});

test('different encodings of a page in the sitemap, the website and the crawler are one page', async () => {
  await listAll('spelled', [
    'https://example.com/%d0%bf%d1%80/',
    'https://example.com/café',
    'https://example.com/a%7Eb',
    'https://example.com/find?q=%c3%a9',
    'https://example.com/caf%E9',
    'https://example.com/item(1)',
    "https://example.com/find?q=it's",
    'https://example.com/x/./y/../z',
    'https://example.com/back\\slash',
  ]);
  await crawlAll('spelled', [
    ...['/%D0%BF%D1%80/', '/%d0%bf%d1%80/', '/пр/'],
    ...['/caf%c3%a9', '/a~b', '/find?q=é', '/item%281%29'],
    ...["/find?q=it's", '/find?q=it%27s', '/x/z', '/x/./y/../z', '/back\\slash', '/back%5cslash'],
  ]);
  const { urls } = await coverage('all', 'spelled');
  expect(urls!.map(({ path, query, crawl_count }) => [path, query, crawl_count])).toEqual([
    ['/%D0%BF%D1%80/', '', 3],
    ['/a~b', '', 1],
    ['/back%5Cslash', '', 2],
    ['/caf%C3%A9', '', 1],
    // A Latin-1 byte makes a different URL, and so do escaped reserved characters.
    ['/caf%E9', '', 0],
    ['/find', 'q=%C3%A9', 1],
    ['/find', "q=it's", 2],
    ['/item(1)', '', 0],
    ['/x/z', '', 2],
  ]);
  expect((await coverage('not_in_sitemap', 'spelled')).urls!.map(({ path }) => path)).toEqual([
    '/item%281%29',
  ]);
});

test('listed URLs with different queries are different pages, each with the requests of its own query', async () => {
  await listAll('queries', [
    'https://example.com/p',
    'https://example.com/p?id=1',
    'https://example.com/p?id=2',
    'https://example.com/q?x=1&y=2',
  ]);
  await crawlAll('queries', [
    ...['/p', '/p?id=1', '/p?id=1', '/p?id=3', '/p?ID=2'],
    ...['/q', '/q?y=2&x=1', '/unlisted?a=1', '/unlisted?a=2', '/unlisted'],
  ]);
  const { urls, totals } = await coverage('all', 'queries');
  expect(urls!.map(({ url, path, query, crawl_count }) => [url, path, query, crawl_count])).toEqual([
    ['https://example.com/p', '/p', '', 1],
    ['https://example.com/p?id=1', '/p', 'id=1', 2],
    ['https://example.com/p?id=2', '/p', 'id=2', 0],
    ['https://example.com/q?x=1&y=2', '/q', 'x=1&y=2', 0],
  ]);
  expect(totals).toMatchObject({ all: 4, never_crawled: 2, recently_crawled: 2, not_in_sitemap: 5 });
  const unlisted = await coverage('not_in_sitemap', 'queries');
  expect(unlisted.urls!.map(({ url, crawl_count }) => [url, crawl_count])).toEqual([
    ['https://example.com/p?ID=2', 1],
    ['https://example.com/p?id=3', 1],
    ['https://example.com/q', 1],
    ['https://example.com/q?y=2&x=1', 1],
    ['https://example.com/unlisted', 3],
  ]);
});

test('a page fetched with a query that no sitemap lists is not_in_sitemap, although its path is listed without a query', async () => {
  await listAll('parameters', ['https://example.com/p', 'https://example.com/q']);
  await crawlAll('parameters', ['/p', '/p?id=7', '/p?id=7', '/p?id=%38', '/q', '/other?a=1']);
  const { urls, totals } = await coverage('not_in_sitemap', 'parameters');
  expect(urls!.map(({ url, path, query, crawl_count }) => [url, path, query, crawl_count])).toEqual([
    ['https://example.com/other', '/other', '', 1],
    ['https://example.com/p?id=7', '/p', 'id=7', 2],
    ['https://example.com/p?id=8', '/p', 'id=8', 1],
  ]);
  expect(totals).toMatchObject({ all: 2, recently_crawled: 2, not_in_sitemap: 3 });
});

test('of two fetches of one crawler at the same instant the one with the higher status is shown', async () => {
  const { urls } = await coverage('all', 'twice');
  expect(urls).toEqual([expect.objectContaining({ path: '/b', response_code: 404, content_type: 'php' })]);
});

test('pages that no sitemap lists are served pages of the types that page-importance counts', async () => {
  const { urls, totals } = await coverage('not_in_sitemap');
  expect(urls!.map(({ path }) => path)).toEqual(['/not-modified', '/served']);
  expect(totals.not_in_sitemap).toBe(2);
});

test('no page is reported missing until a sitemap could be read', async () => {
  await crawled('unread');
  await readInPart('unread', [], Date.now());
  for (const status of ['all', 'not_in_sitemap'] as const) {
    const answer = await coverage(status, 'unread');
    expect(answer).toMatchObject({ available: false, reason: 'not_read_yet', urls: null, total: null });
    expect(Object.values(answer.totals)).toEqual([null, null, null, null, null]);
    expect(answer.total_pages).toBeNull();
    expect(answer.snapshot!.problems).toEqual([
      {
        sitemap: 'https://example.com/s.xml',
        problem: 'dns',
        message: 'example.com has no address in DNS, or DNS did not answer.',
      },
      expect.objectContaining({ problem: 'broken_xml', message: 'The file is no well-formed XML.' }),
      expect.objectContaining({ problem: 'http_503', message: 'The file was answered with status 503.' }),
    ]);
  }
});

test('after an incomplete fetch the listed pages are shown, but not the missing ones', async () => {
  await crawled('part');
  await readInPart('part', ['/listed'], Date.now() - 2);
  const all = await coverage('all', 'part');
  expect(all).toMatchObject({ available: true, reason: null, total: 1 });
  expect(all.totals).toMatchObject({ all: 1, never_crawled: 1, not_in_sitemap: null });
  // Pages that a later fetch could not read remain listed.
  await readInPart('part', [], Date.now());
  expect(await coverage('all', 'part')).toMatchObject({ available: true, total: 1 });
  expect(await coverage('not_in_sitemap', 'part')).toMatchObject({
    available: false,
    reason: 'not_read_completely',
    totals: { all: 1, not_in_sitemap: null },
    urls: null,
    total: null,
  });
});

test('an installation that does not fetch reports it, unless the operator added sitemaps', async () => {
  expect(await coverage('all', 'never')).toMatchObject({ available: false, reason: 'not_fetched_yet' });
  expect(await coverage('all', 'never', false)).toMatchObject({ reason: 'fetching_is_off', urls: null });
  expect(await coverage('all', 'shop', false)).toMatchObject({ available: true, reason: null });
});
