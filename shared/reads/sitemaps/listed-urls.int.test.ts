import { afterAll, beforeAll, expect, test } from 'vitest';
import { urlSearch } from '../../../services/api/operations/urls/url-search.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { DAY_MS, HOUR_MS } from '../../durations.js';
import { url } from '../urls/url.js';
import { insertSitemapFetch, insertSitemapUrls } from './sitemap-writes.js';

/** Listed URLs in the answers urls/search and url. */

/** The engine's own clock expires rows. */
const NOW = Date.now();

let engine: TestClickHouse;

const find = (fragment: string) =>
  urlSearch.read(
    engine.clickhouse,
    { websiteId: 'listed', now: NOW },
    { fragment, limit: 15, crawlId: null },
  );
const report = (path: string) => {
  const scope = { websiteId: 'listed', window: { start: NOW - DAY_MS, end: NOW }, filters: {} };
  return url.read(engine.clickhouse, scope, {
    path,
    now: NOW,
    connection: null,
    crawl: null,
    analytics: null,
  });
};

const listed = (path: string) => ({
  path,
  query: '',
  url: `https://www.example.com${path}`,
  sitemap: 'https://www.example.com/sitemap.xml',
  lastmod: null,
});

async function fetched(fetchedAt: number, paths: readonly string[], complete: boolean) {
  const fetch = { websiteId: 'listed', fetchedAt };
  await insertSitemapUrls(engine.clickhouse, fetch, paths.map(listed), 0);
  const reason = complete ? null : ('files_failed' as const);
  const tally = {
    files: 1,
    failedFiles: 0,
    urls: paths.length,
    foreignUrls: 0,
    invalidUrls: 0,
    problems: [],
  };
  await insertSitemapFetch(engine.clickhouse, fetch, { complete, reason, ...tally }, fetchedAt + 1);
}

beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  const visits = ['/both', '/both', '/old', '/unlisted'].map((path, index) =>
    storedRequest({
      ...googlebot,
      website_id: 'listed',
      timestamp: NOW - HOUR_MS - index,
      path,
      log_index: index,
      received_at: NOW,
    }),
  );
  await insertStored(engine.clickhouse, visits, { deduplicationToken: 'listed', retentionDays: 25_000 });
}, 180_000);
afterAll(() => engine?.stop());

const T1 = NOW - 3 * DAY_MS;
const T2 = NOW - 2 * DAY_MS;
const T3 = NOW - DAY_MS;
const standing = async (q = '') =>
  (await find(q)).results.map((one) => [one.path, one.source, one.membership_status, one.crawls]);

test('listed pages are found after the pages that crawlers fetched; removed pages are marked', async () => {
  await fetched(T1, ['/both', '/old'], true);
  await fetched(T2, ['/both', '/never', '/a-part'], true);
  const answer = await find('');
  expect(await standing()).toEqual([
    ['/both', 'sitemap', 'present', 2],
    ['/old', 'crawl_discovered', 'removed', 1],
    ['/unlisted', 'crawl_discovered', 'not_found', 1],
    ['/a-part', 'sitemap', 'present', 0],
    ['/never', 'sitemap', 'present', 0],
  ]);
  expect(answer).toMatchObject({
    total_matches: 5,
    sources: { sitemap_urls: 3 },
    sitemap_snapshot: {
      fetch_complete: true,
      last_successful_fetch_at: new Date(T2).toISOString(),
      last_checked_at: new Date(T2).toISOString(),
    },
  });
  expect(answer.results.at(-1)).toMatchObject({ last_crawled: null, last_bot: null, in_sitemap: true });
  expect(await standing('nev')).toEqual([['/never', 'sitemap', 'present', 0]]);
});

test('a page remains listed after an incomplete fetch, but is not confirmed', async () => {
  await fetched(T3, ['/both'], false);
  expect((await standing()).slice(0, 2)).toEqual([
    ['/both', 'sitemap', 'present', 2],
    ['/old', 'crawl_discovered', 'removed', 1],
  ]);
  const { results, sources, sitemap_snapshot } = await find('/never');
  expect(results[0]).toMatchObject({ in_sitemap: true, membership_confirmed: false });
  expect(sources.sitemap_urls).toBe(3);
  expect(sitemap_snapshot).toMatchObject({
    fetch_complete: false,
    last_checked_at: new Date(T3).toISOString(),
  });
});

test('the report on a URL shows that it is listed', async () => {
  const { sitemap } = await report('/old');
  expect(sitemap).toMatchObject({
    membership_status: 'removed',
    removed: true,
    removed_at: new Date(T2).toISOString(),
    last_seen: new Date(T1).toISOString(),
    times_crawled: 1,
    last_crawled_by: 'Googlebot',
  });
  expect((await report('/never')).sitemap).toMatchObject({
    membership_status: 'present',
    in_sitemap: true,
    times_crawled: 0,
    last_crawled_by: null,
  });
});
