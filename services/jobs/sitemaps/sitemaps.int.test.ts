import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../test/harness/api.js';
import {
  BASE,
  own,
  pages,
  type SitemapWorld,
  startSitemapWorld,
} from '../../../test/harness/jobs/sitemap-world.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../test/harness/stored-verdicts.js';
import type { JobWebsite } from '../runner/website-job.js';

/** From a web server's files to the API's answers, through the guarded fetcher and the store. */

let world: SitemapWorld;
let api: TestApi;
let files: Map<string, string | Buffer | number>;

beforeAll(async () => {
  world = await startSitemapWorld();
  api = await createTestApi({ reader: world.clickhouse });
});
afterAll(() => world?.stop());
beforeEach(() => {
  files = new Map();
});

async function fetchSitemaps(website: JobWebsite, now: number): Promise<void> {
  world.serve(files);
  await world.fetchSitemaps(website, now);
}

describe('GET seo/sitemap', () => {
  const DAYS_AGO = (days: number) => TEST_NOW - days * DAY_MS;

  test('reports before the first fetch that there was none', async () => {
    const { status, body } = await api.read('/seo/sitemap');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      available: false,
      reason: 'not_fetched_yet',
      snapshot: null,
      urls: null,
      total: null,
    });
    expect(body.totals.all).toBeNull();
  });

  test('reports that there is no sitemap', async () => {
    await fetchSitemaps(own(api.website.id), DAYS_AGO(3));
    const { body } = await api.read('/seo/sitemap');
    expect(body).toMatchObject({
      available: false,
      reason: 'no_sitemap',
      snapshot: { fetch_complete: false },
    });
  });

  test('compares listed pages with the fetches of search crawlers, and ignores impostors', async () => {
    const id = api.website.id;
    const crawl = (path: string, days: number, given = {}) =>
      storedRequest({ ...googlebot, website_id: id, path, timestamp: DAYS_AGO(days), ...given });
    await insertStored(
      world.clickhouse,
      [
        crawl('/recent', 2, { status: 304, query: 'page=2' }),
        crawl('/recent', 40, { query: 'page=2' }),
        // Other URLs.
        crawl('/recent', 1),
        crawl('/recent', 1, { query: 'page=3' }),
        crawl('/stale', 31, { bot_name: 'bingbot', bot_family: 'Bing', status: 404 }),
        // Before the counted days.
        crawl('/old', 95),
        crawl('/fake', 1, { bot_verification: 'spoofed' }),
        crawl('/late-fake', 1, { bot_verification: 'pending', client_ip: '203.0.113.10' }),
        crawl('/pending', 1, { bot_verification: 'pending', client_ip: '203.0.113.11' }),
        crawl('/ai', 1, { bot_category: 'ai', bot_name: 'GPTBot', traffic_class: 'ai_bot' }),
        crawl('/unlisted', 5),
        crawl('/style.css', 1, { file_type: 'css' }),
        crawl('/foreign', 1, { website_id: api.foreignWebsite.id }),
        storedRequest({ website_id: id, path: '/people', timestamp: DAYS_AGO(1) }),
      ].map((row, log_index) => ({ ...row, log_index })),
      { deduplicationToken: 'coverage' },
    );
    const verdict = { websiteId: id, family: 'Google', decidedAt: TEST_NOW };
    await insertVerdicts(
      world.clickhouse,
      [{ ...verdict, clientIp: '203.0.113.10', status: 'spoofed' }],
      'v',
    );
    files = new Map([
      [
        '/sitemap.xml',
        pages('/recent?page=2', '/stale', '/old', '/fake', '/late-fake', '/pending', '/ai', '/gone'),
      ],
    ]);
    await fetchSitemaps(own(id), DAYS_AGO(2));
    files.set(
      '/sitemap.xml',
      pages('/recent?page=2', '/stale', '/old', '/fake', '/late-fake', '/pending', '/ai'),
    );
    await fetchSitemaps(own(id), DAYS_AGO(1));

    const read = async (query: string) => (await api.read(`/seo/sitemap?${query}`)).body;
    const paths = async (query: string) => (await read(query)).urls.map(({ path }: { path: string }) => path);
    const all = await read('');
    expect(all).toMatchObject({
      available: true,
      reason: null,
      crawl_days: 90,
      total: 7,
      total_pages: 1,
      totals: { all: 7, never_crawled: 5, recently_crawled: 1, stale: 1, not_in_sitemap: 3 },
      snapshot: { fetch_complete: true, files: 1, failed_files: 0, problems: [] },
    });
    expect(all.snapshot.last_checked_at).toBe(new Date(DAYS_AGO(1)).toISOString());
    expect(all.urls.map(({ path }: { path: string }) => path)).toEqual([
      '/ai',
      '/fake',
      '/late-fake',
      '/old',
      '/pending',
      '/recent',
      '/stale',
    ]);
    expect(all.urls.find(({ path }: { path: string }) => path === '/recent')).toEqual({
      url: `${BASE}/recent?page=2`,
      path: '/recent',
      query: 'page=2',
      status: 'crawled',
      in_sitemap: true,
      last_crawl_date: new Date(DAYS_AGO(2)).toISOString(),
      last_crawled_by: 'Googlebot',
      crawl_count: 2,
      unproved_crawl_count: 0,
      last_unproved_crawl_date: null,
      content_type: 'html',
      response_code: 304,
      first_seen: new Date(DAYS_AGO(2)).toISOString(),
      lastmod: '2026-11-03T00:00:00.000Z',
      sitemap: `${BASE}/sitemap.xml`,
    });
    expect(await paths('status=never_crawled')).toEqual(['/ai', '/fake', '/late-fake', '/old', '/pending']);
    expect(all.urls.find(({ path }: { path: string }) => path === '/pending')).toMatchObject({
      crawl_count: 0,
      unproved_crawl_count: 1,
      last_unproved_crawl_date: new Date(DAYS_AGO(1)).toISOString(),
    });
    expect(await paths('status=recently_crawled')).toEqual(['/recent']);
    expect(await paths('status=stale')).toEqual(['/stale']);
    expect((await read('status=not_in_sitemap')).urls).toEqual([
      expect.objectContaining({ url: `${BASE}/recent`, path: '/recent', query: '', crawl_count: 1 }),
      expect.objectContaining({ url: `${BASE}/recent?page=3`, query: 'page=3', crawl_count: 1 }),
      {
        url: `${BASE}/unlisted`,
        path: '/unlisted',
        query: '',
        status: 'crawled',
        in_sitemap: false,
        last_crawl_date: new Date(DAYS_AGO(5)).toISOString(),
        last_crawled_by: 'Googlebot',
        crawl_count: 1,
        unproved_crawl_count: 0,
        last_unproved_crawl_date: null,
        content_type: 'html',
        response_code: 200,
        first_seen: null,
        lastmod: null,
        sitemap: null,
      },
    ]);
    expect((await paths('sort=times_crawled&sort_dir=desc')).slice(0, 2)).toEqual(['/recent', '/stale']);
    expect((await paths('sort=last_crawled&sort_dir=desc')).slice(0, 2)).toEqual(['/recent', '/stale']);
    expect((await paths('sort=path&sort_dir=desc'))[0]).toBe('/stale');
    expect(await read('page=3&page_size=3')).toMatchObject({
      total: 7,
      total_pages: 3,
      urls: [{ path: '/stale' }],
    });
  });

  test('is for organisations on Starter and above', async () => {
    const path = `/public/v1/websites/${api.freeWebsite.id}/seo/sitemap`;
    expect((await api.request(path, { key: api.keys.free })).status).toBe(403);
  });
});
