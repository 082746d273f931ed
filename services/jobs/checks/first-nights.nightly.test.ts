import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { givenFiles } from '../../../deploy/admin/server/given-files.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { insertSitemapFetch, insertSitemapUrls } from '../../../shared/reads/sitemaps/sitemap-writes.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import { createTestApi, TEST_NOW, type TestApi, uncounted } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { checkWebsite, type Night, websiteOf } from '../../../test/harness/jobs/night.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { checks } from './all-checks.js';

/** Verdicts of a website whose facts are not gathered yet. */

let engine: TestClickHouse;
let api: TestApi;
let sent: Alert[];
beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
});
afterAll(() => engine?.stop());
beforeEach(async () => {
  api = await createTestApi({ clickhouse: engine.clickhouse, usage: uncounted });
  sent = [];
});

const FIRST = TEST_NOW - 2 * DAY_MS;
const NEXT = FIRST + DAY_MS;
const PAGE = { '/': '<html><link rel=canonical href="https://example.com/"><title>Teapots</title>' };

const check = (night: Night) => checkWebsite(engine, websiteOf(api), { sent, ...night });
const one = async (id: string) =>
  (await api.read('/checks')).body.checks.find((each: { id: string }) => each.id === id);

async function crawl(from: number, count: number, given: object = {}): Promise<void> {
  const website_id = api.website.id;
  await insertStored(
    engine.clickhouse,
    Array.from({ length: count }, (_, n) =>
      storedRequest({
        website_id,
        timestamp: from + (n % 60) * MINUTE_MS,
        log_index: n,
        path: `/page-${n}`,
        ...googlebot,
        ...given,
      }),
    ),
    { deduplicationToken: `${website_id} ${from} ${count}` },
  );
}

async function storeFiles(at: number, listed = 0): Promise<void> {
  const fetch = givenFiles(new Map([['/robots.txt', Buffer.from('User-agent: *\nDisallow: /cart/')]]));
  const deps = { fetch, clickhouse: engine.clickhouse, now: () => at, signal: new AbortController().signal };
  await refreshRobots(deps, websiteOf(api));
  const urls = Array.from({ length: listed }, (_, n) => ({
    path: `/listed-${n}`,
    query: '',
    url: `https://example.com/listed-${n}`,
    sitemap: 'https://example.com/sitemap.xml',
    lastmod: null,
  }));
  const own = { websiteId: api.website.id, fetchedAt: at };
  await insertSitemapUrls(engine.clickhouse, own, urls, 0);
  const counts = { files: 1, failedFiles: 0, urls: listed, foreignUrls: 0, invalidUrls: 0, problems: [] };
  await insertSitemapFetch(engine.clickhouse, own, { complete: true, reason: null, ...counts }, at + 1);
}

const ofLogs = checks.filter(({ needs }) => needs.includes('logs')).map(({ id }) => id);

test('an hour of logs is judged by no check, and faults of the first day raise no alert', async () => {
  await storeFiles(FIRST - HOUR_MS);
  await crawl(FIRST - HOUR_MS, 200);
  expect(await check({ at: FIRST })).toBeUndefined();
  for (const id of ofLogs) expect(await one(id), id).toMatchObject({ verdict: 'unknown' });
  expect((await one('crawler_server_errors')).evidence).toMatchObject({
    outcome: 'unconfirmed',
    logs_since: new Date(FIRST - HOUR_MS).toISOString(),
  });

  await crawl(FIRST, 200, { status: 503 });
  await check({ at: NEXT });
  expect(await one('crawler_server_errors')).toMatchObject({
    verdict: 'fail',
    evidence: { logs_since: new Date(FIRST - HOUR_MS).toISOString(), share_pct: 50 },
  });
  expect(sent).toEqual([]);
});

test('a check that passed for a day and fails then raises an alert', async () => {
  await crawl(FIRST - DAY_MS, 200);
  await check({ at: FIRST });
  expect(await one('crawler_server_errors')).toMatchObject({ verdict: 'pass' });
  await crawl(FIRST, 200, { status: 503 });
  await check({ at: NEXT });
  expect(sent.map(({ subject }) => subject)).toContain('crawler_server_errors');
});

test('logs of seven days or more have no start in the evidence', async () => {
  await crawl(FIRST - 7 * DAY_MS, 1);
  await crawl(FIRST - DAY_MS, 200);
  await check({ at: FIRST });
  expect((await one('crawler_server_errors')).evidence).not.toHaveProperty('logs_since');
});

test('before robots.txt and sitemaps were fetched their checks are unknown, and the evaluation is repeated soon', async () => {
  await crawl(FIRST - DAY_MS, 60);
  expect(await check({ at: FIRST, files: PAGE })).toBe('nothing_yet');
  for (const id of ['robots_reachable', 'robots_allows_search', 'sitemap_found', 'sitemap_complete'])
    expect(await one(id), id).toMatchObject({ verdict: 'unknown', evidence: { outcome: 'not_checked' } });
  await storeFiles(FIRST);
  expect(await check({ at: FIRST + MINUTE_MS, files: PAGE })).toBeUndefined();
  expect(await one('robots_allows_search')).toMatchObject({ verdict: 'pass' });
  expect(sent).toEqual([]);
});

test('an installation that fetches nothing does not wait for robots.txt and sitemaps', async () => {
  await crawl(FIRST - DAY_MS, 60);
  expect(await check({ at: FIRST })).toBeUndefined();
});

test('the home page does not replace the most fetched pages while these are unknown', async () => {
  await storeFiles(FIRST - HOUR_MS);
  await crawl(FIRST - HOUR_MS, 60);
  await check({ at: FIRST, files: PAGE });
  for (const id of ['pages_indexable', 'canonical_link', 'structured_data'])
    expect(await one(id), id).toMatchObject({ verdict: 'unknown' });
  expect(await one('home_indexable')).toMatchObject({ verdict: 'pass' });
  await check({ at: NEXT, files: PAGE });
  expect(await one('canonical_link')).toMatchObject({ verdict: 'pass' });
});

test('listed pages that were not fetched in the first days are no failure', async () => {
  await storeFiles(FIRST - HOUR_MS, 100);
  await crawl(FIRST - DAY_MS, 60);
  await check({ at: FIRST });
  expect(await one('sitemap_crawled')).toMatchObject({
    verdict: 'unknown',
    evidence: { outcome: 'partial', never_crawled_pct: 100 },
  });
  await crawl(FIRST - 40 * DAY_MS, 1);
  await check({ at: FIRST + MINUTE_MS });
  expect(await one('sitemap_crawled')).toMatchObject({ verdict: 'fail' });
});
