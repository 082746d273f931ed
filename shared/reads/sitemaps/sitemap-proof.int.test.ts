import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { sitemapCoverage } from './sitemap-coverage.js';
import type { CoverageStatus } from './sitemap-coverage-sql.js';
import { insertSitemapFetch, insertSitemapUrls } from './sitemap-writes.js';

/** Sitemap coverage counts verified requests. Without any, it counts claims and states that. */

const NOW = Date.UTC(2026, 10, 21, 15);
const pending = { bot_verification: 'pending', client_ip: '192.0.2.7' } as const;

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  const crawl = (website_id: string, path: string, given: object = {}) =>
    storedRequest({ ...googlebot, website_id, path, timestamp: NOW - DAY_MS, ...given });
  await insertStored(
    engine.clickhouse,
    [
      crawl('proved', '/a'),
      crawl('proved', '/a', { ...pending, status: 404, timestamp: NOW - HOUR_MS }),
      crawl('proved', '/b', pending),
      crawl('proved', '/unlisted', pending),
      crawl('claimed', '/a', { ...pending, status: 404, timestamp: NOW - HOUR_MS }),
      crawl('claimed', '/unlisted', pending),
      crawl('claimed', '/unlisted-too', { bot_verification: 'spoofed', traffic_class: 'spoofed_bot' }),
    ].map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'crawls', retentionDays: 25_000 },
  );
  for (const websiteId of ['proved', 'claimed']) {
    const fetch = { websiteId, fetchedAt: Date.now() };
    const listed = ['/a', '/b'].map((path) => ({
      ...{ path, query: '', url: `https://example.com${path}` },
      ...{ sitemap: 'https://example.com/s.xml', lastmod: null },
    }));
    const tally = { files: 1, failedFiles: 0, urls: 2, foreignUrls: 0, invalidUrls: 0, problems: [] };
    await insertSitemapUrls(engine.clickhouse, fetch, listed, 0);
    await insertSitemapFetch(
      engine.clickhouse,
      fetch,
      { complete: true, reason: null, ...tally },
      Date.now(),
    );
  }
}, 180_000);
afterAll(() => engine?.stop());

const coverage = (websiteId: string, status: CoverageStatus) =>
  sitemapCoverage.read(
    engine.clickhouse,
    { websiteId, now: NOW },
    {
      ...{ domain: 'example.com', fetchesWebsites: true, status },
      ...{ sort: 'path', descending: false, page: 1, page_size: 10 },
    },
  );

test('unproved claims change neither the last status nor the crawled and unlisted pages, and are counted separately', async () => {
  const { crawl_basis, totals, urls } = await coverage('proved', 'all');
  expect(crawl_basis).toBe('verified');
  expect(totals).toMatchObject({ all: 2, never_crawled: 1, recently_crawled: 1, not_in_sitemap: 0 });
  expect(urls).toMatchObject([
    {
      ...{ path: '/a', status: 'crawled', crawl_count: 1, response_code: 200 },
      ...{ last_crawl_date: new Date(NOW - DAY_MS).toISOString(), unproved_crawl_count: 1 },
      last_unproved_crawl_date: new Date(NOW - HOUR_MS).toISOString(),
    },
    {
      ...{ path: '/b', status: 'not_crawled', crawl_count: 0, response_code: null },
      ...{ unproved_crawl_count: 1, last_unproved_crawl_date: new Date(NOW - DAY_MS).toISOString() },
    },
  ]);
});

test('without verified requests, the answer counts claims and states it', async () => {
  const { crawl_basis, totals, urls } = await coverage('claimed', 'all');
  expect(crawl_basis).toBe('unproved');
  expect(totals).toMatchObject({ all: 2, never_crawled: 1, recently_crawled: 1, not_in_sitemap: 1 });
  expect(urls![0]).toMatchObject({
    ...{ path: '/a', status: 'crawled', crawl_count: 1, response_code: 404, unproved_crawl_count: 1 },
  });
});
