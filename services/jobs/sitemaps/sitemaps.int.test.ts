import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import { DAY_MS } from '../../../shared/durations.js';
import { createFetcher } from '../../../shared/fetch/fetcher.js';
import { readActiveWebsites } from '../../../shared/queries/active-websites.js';
import { insertJobRun, readJobRuns } from '../../../shared/queries/job-runs.js';
import { readMembership, readSitemapState } from '../../../shared/queries/sitemaps.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { expireSitemaps } from '../../../test/harness/expiry.js';
import { googlebot, insertStored, storedRequest } from '../../../test/harness/stored-requests.js';
import { insertVerdicts } from '../../../test/harness/stored-verdicts.js';
import { robotsJob } from '../robots/robots-job.js';
import type { JobWebsite } from '../website-job.js';
import { sitemapsJob } from './sitemaps-job.js';

/** From a web server's files to the answers of the API, through the guarded fetcher and the store. */

let engine: TestClickHouse;
let api: TestApi;
let server: Server;
let files: Map<string, string | Buffer | number>;
const BASE = 'https://www.example.com';

beforeAll(async () => {
  engine = await startTestClickHouse();
  await expireSitemaps(engine.clickhouse, 'STOP');
  api = await createTestApi({ reader: engine.clickhouse });
  server = createServer(({ url }, response) => {
    const file = files.get(url!);
    if (file === undefined || typeof file === 'number') response.writeHead(file ?? 404).end();
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server?.close();
  await engine?.stop();
});
beforeEach(() => {
  files = new Map();
});

const pages = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${BASE}${path}</loc><lastmod>2026-11-03</lastmod></url>`).join('')}</urlset>`;
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${BASE}${path}</loc></sitemap>`).join('')}</sitemapindex>`;

async function fetchSitemaps(website: JobWebsite, now: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const deps = {
    clickhouse: engine.clickhouse,
    fetch: createFetcher({
      userAgent: 'test',
      resolver: { resolve4: async () => [], resolve6: async () => [] },
      loopback: { origins: new Map([[BASE, port]]) },
    }),
    now: () => now,
    logger: pino({ level: 'silent' }),
    planOf: () => ({ listedUrls: 1_000, hourlyApiLimit: 100 }),
    requested: false,
    details: '',
    signal: new AbortController().signal,
  };
  for (const job of [robotsJob, sitemapsJob]) await job.run(website, deps);
}

const own = (id: string): JobWebsite => ({
  id,
  domain: 'www.example.com',
  organisationId: 'org',
  createdAt: new Date(TEST_NOW).toISOString(),
});
const standing = async (id: string, path: string) => {
  const state = await readSitemapState(engine.clickhouse, id);
  return (await readMembership(engine.clickhouse, id, [path], state)).get(path)!;
};

describe('membership', () => {
  const FIRST = TEST_NOW - 10 * DAY_MS;
  const SECOND = FIRST + DAY_MS;
  const THIRD = SECOND + DAY_MS;
  const FOURTH = THIRD + DAY_MS;

  test('before any fetch nothing is known', async () => {
    expect(await standing('new', '/a')).toMatchObject({ status: 'unknown', confirmed: false });
  });

  test('a page is present, stays so through fetches that broke off, and is removed by a whole one', async () => {
    files = new Map<string, string | Buffer | number>([
      ['/robots.txt', `User-agent: *\nSitemap: ${BASE}/index.xml\n`],
      ['/index.xml', index('/1.xml.gz', '/2.xml')],
      ['/1.xml.gz', gzipSync(pages('/a', '/gone'))],
      ['/2.xml', pages('/b')],
    ]);
    await fetchSitemaps(own('site'), FIRST);
    expect(await standing('site', '/gone')).toEqual({
      status: 'present',
      confirmed: true,
      firstSeen: FIRST,
      lastSeen: FIRST,
      removedAt: null,
    });
    expect(await standing('site', '/other')).toMatchObject({ status: 'not_found', confirmed: true });

    // The page is gone from the one file, and the other does not answer.
    files.set('/1.xml.gz', pages('/a', '/fresh')).set('/2.xml', 503);
    await fetchSitemaps(own('site'), SECOND);
    expect(await standing('site', '/gone')).toMatchObject({ status: 'present', confirmed: false });
    expect(await standing('site', '/b')).toMatchObject({ status: 'present', lastSeen: FIRST });
    expect(await standing('site', '/fresh')).toMatchObject({ status: 'present', firstSeen: SECOND });

    files.set('/2.xml', pages('/b'));
    await fetchSitemaps(own('site'), THIRD);
    expect(await standing('site', '/gone')).toEqual({
      status: 'removed',
      confirmed: true,
      firstSeen: FIRST,
      lastSeen: FIRST,
      removedAt: THIRD,
    });
    expect(await standing('site', '/b')).toMatchObject({
      status: 'present',
      firstSeen: FIRST,
      lastSeen: THIRD,
    });

    // It comes back.
    files.set('/2.xml', pages('/b', '/gone'));
    await fetchSitemaps(own('site'), FOURTH);
    expect(await standing('site', '/gone')).toMatchObject({
      status: 'present',
      firstSeen: FIRST,
      removedAt: null,
    });
  });

  test('a website whose sitemaps are gone keeps what they listed', async () => {
    await fetchSitemaps(own('site'), FOURTH + DAY_MS);
    expect(await standing('site', '/a')).toMatchObject({ status: 'present', confirmed: false });
  });

  test('a fetch that is written again changes nothing', async () => {
    files = new Map([['/sitemap.xml', pages('/a')]]);
    await fetchSitemaps(own('twice'), FIRST);
    const before = await standing('twice', '/a');
    await fetchSitemaps(own('twice'), FIRST);
    expect(await standing('twice', '/a')).toEqual(before);
  });
});

test('a path goes two months after it was last listed, and where nothing is fetched any more nothing is known', async () => {
  const [long, lately] = [Date.now() - 62 * DAY_MS, Date.now() - DAY_MS];
  files = new Map([['/sitemap.xml', pages('/a', '/gone')]]);
  await fetchSitemaps(own('fetched'), long);
  await fetchSitemaps(own('left'), long);
  files = new Map([['/sitemap.xml', pages('/a')]]);
  await fetchSitemaps(own('fetched'), lately);
  await expireSitemaps(engine.clickhouse, 'START');
  for (const table of ['sitemap_fetches', 'sitemap_urls'])
    await engine.clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
  expect(await standing('left', '/a')).toMatchObject({ status: 'unknown' });
  expect(await standing('fetched', '/gone')).toMatchObject({ status: 'not_found' });
  expect(await standing('fetched', '/a')).toMatchObject({ status: 'present' });
  await expireSitemaps(engine.clickhouse, 'STOP');
});

test('websites that requests were received from in the last 30 days are active, however many', async () => {
  const received = (website_id: string, days: number) =>
    storedRequest({ website_id, received_at: TEST_NOW - days * DAY_MS, timestamp: TEST_NOW - 40 * DAY_MS });
  const rows = [received('old', 30), received('new', 29), received('today', 0), received('old-2', 200)];
  await insertStored(
    engine.clickhouse,
    rows.map((row, log_index) => ({ ...row, log_index })),
    { deduplicationToken: 'active' },
  );
  const active = await readActiveWebsites(engine.clickhouse, TEST_NOW, 1);
  expect(['old', 'new', 'today', 'old-2'].filter((id) => active.has(id))).toEqual(['new', 'today']);
});

describe('GET seo/sitemap', () => {
  const DAYS_AGO = (days: number) => TEST_NOW - days * DAY_MS;

  test('says before the first fetch that there was none', async () => {
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

  test('says that there is no sitemap', async () => {
    await fetchSitemaps(own(api.website.id), DAYS_AGO(3));
    const { body } = await api.read('/seo/sitemap');
    expect(body).toMatchObject({
      available: false,
      reason: 'no_sitemap',
      snapshot: { fetch_complete: false },
    });
  });

  test('holds what is listed against what search crawlers fetched, and leaves impostors out', async () => {
    const id = api.website.id;
    const crawl = (path: string, days: number, given = {}) =>
      storedRequest({ ...googlebot, website_id: id, path, timestamp: DAYS_AGO(days), ...given });
    await insertStored(
      engine.clickhouse,
      [
        crawl('/recent', 2, { status: 304 }),
        crawl('/recent', 40),
        crawl('/stale', 31, { bot_name: 'bingbot', bot_family: 'Bing', status: 404 }),
        // Before the days that count.
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
      engine.clickhouse,
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
      totals: { all: 7, never_crawled: 4, recently_crawled: 2, stale: 1, not_in_sitemap: 1 },
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
      status: 'crawled',
      in_sitemap: true,
      last_crawl_date: new Date(DAYS_AGO(2)).toISOString(),
      last_crawled_by: 'Googlebot',
      crawl_count: 2,
      content_type: 'html',
      response_code: 304,
      first_seen: new Date(DAYS_AGO(2)).toISOString(),
      lastmod: '2026-11-03T00:00:00.000Z',
      sitemap: `${BASE}/sitemap.xml`,
    });
    expect(await paths('status=never_crawled')).toEqual(['/ai', '/fake', '/late-fake', '/old']);
    expect(await paths('status=recently_crawled')).toEqual(['/pending', '/recent']);
    expect(await paths('status=stale')).toEqual(['/stale']);
    expect((await read('status=not_in_sitemap')).urls).toEqual([
      {
        url: `${BASE}/unlisted`,
        path: '/unlisted',
        status: 'crawled',
        in_sitemap: false,
        last_crawl_date: new Date(DAYS_AGO(5)).toISOString(),
        last_crawled_by: 'Googlebot',
        crawl_count: 1,
        content_type: 'html',
        response_code: 200,
        first_seen: null,
        lastmod: null,
        sitemap: null,
      },
    ]);
    expect((await paths('sort=times_crawled&sort_dir=desc')).slice(0, 3)).toEqual([
      '/recent',
      '/pending',
      '/stale',
    ]);
    expect((await paths('sort=last_crawled&sort_dir=desc')).slice(0, 3)).toEqual([
      '/pending',
      '/recent',
      '/stale',
    ]);
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

test('the last run of each job is read back', async () => {
  const run = { websiteId: 'w', job: 'sitemaps', startedAt: TEST_NOW, finishedAt: TEST_NOW + 5 } as const;
  await insertJobRun(engine.clickhouse, { ...run, failures: 2, outcome: 'failed', problem: 'timeout' });
  const later = { ...run, startedAt: TEST_NOW + 100, finishedAt: TEST_NOW + 107, failures: 0 };
  await insertJobRun(engine.clickhouse, { ...later, outcome: 'done', problem: '' });
  expect(await readJobRuns(engine.clickhouse)).toEqual([later]);
});

test('the last runs of however many websites are read, each once, some in each statement', async () => {
  await engine.clickhouse.command('TRUNCATE TABLE job_runs');
  await engine.clickhouse.command(`INSERT INTO job_runs
SELECT concat('web_', toString(intDiv(number, 3))), ['robots', 'sitemaps', 'page_importance'][number % 3 + 1],
  toDateTime64('2026-11-20 00:00:00', 3, 'UTC'), toDateTime64('2026-11-20 00:00:01', 3, 'UTC'), 'done', 0, ''
FROM numbers(30)`);
  const bounded: ClickHouseReader = { read: (query) => engine.clickhouse.read({ ...query, mostRows: 6 }) };
  const runs = await readJobRuns(bounded, 4);
  expect(runs).toHaveLength(30);
  expect(new Set(runs.map(({ websiteId, job }) => `${websiteId} ${job}`)).size).toBe(30);
});
