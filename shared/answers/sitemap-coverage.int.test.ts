import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../test/harness/clickhouse.js';
import { googlebot, insertStored, storedRequest } from '../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../durations.js';
import { insertSitemapFetch, insertSitemapUrls } from '../queries/sitemap-writes.js';
import { sitemapCoverage } from './sitemap-coverage.js';
import { url } from './url.js';

const NOW = Date.UTC(2026, 10, 21, 15);
const LATEST = NOW - HOUR_MS;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
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
      crawl({ path: '/b', status: 200, file_type: 'html' }),
    ].map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'crawls', retentionDays: 25_000 },
  );
  // Its rows go by the engine's own clock.
  const fetch = { websiteId: 'shop', fetchedAt: Date.now() };
  const listed = { url: 'https://example.com/a', sitemap: 'https://example.com/s.xml', lastmod: null };
  await insertSitemapUrls(engine.clickhouse, fetch, [{ path: '/a', ...listed }], 0);
  const tally = { files: 1, failedFiles: 0, urls: 1, foreignUrls: 0, invalidUrls: 0, problems: [] };
  await insertSitemapFetch(engine.clickhouse, fetch, { complete: true, reason: null, ...tally }, Date.now());
}, 180_000);
afterAll(() => engine?.stop());

const coverage = (status: 'all' | 'not_in_sitemap') =>
  sitemapCoverage.read(
    engine.clickhouse,
    { websiteId: 'shop', now: NOW },
    { domain: 'example.com', status, sort: 'path', descending: false, page: 1, page_size: 10 },
  );

test('of several crawlers at the last instant it tells one fetch, of the crawler that url names, too', async () => {
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
  const { sitemap } = await url.read(engine.clickhouse, scope, { path: '/a', now: NOW });
  expect(sitemap.last_crawled_by).toBe(urls[0]!.last_crawled_by);
});

test('of two fetches of one crawler at the same instant it tells that with the higher status', async () => {
  const { urls } = await coverage('not_in_sitemap');
  expect(urls).toEqual([expect.objectContaining({ path: '/b', response_code: 404, content_type: 'php' })]);
});
