import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PublicError } from '../../../../shared/errors.js';
import type { Inspection } from '../../../../shared/reads/search/inspections.js';
import type { PathFigures } from '../../../../shared/reads/search/search-measures.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { StoreTimeoutError, StoreUnavailableError } from '../../../../shared/store/store-errors.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';
import { connectSearch, inspectionOf, storeSearch } from '../../../../test/harness/stored-search.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const dayBefore = (through: string, days: number) =>
  new Date(Date.parse(through) - days * DAY).toISOString().slice(0, 10);
const THROUGH = '2026-11-18';

/** 40 days; each page has its own figures each day. */
const days = Array.from({ length: 40 }, (_, index) => dayBefore(THROUGH, index));
const paths = ['/', '/blog/a', '/blog/b', '/shop/1', '/old'];
const pages: Record<string, PathFigures[]> = Object.fromEntries(
  days.map((day, ago) => [
    day,
    paths
      .filter((path) => path !== '/old' || ago >= 30)
      .map((path, index) => ({
        path,
        impressions: 100 * (index + 1) + ago,
        clicks: 10 - index + (ago % 3),
        position: 1 + index + ago / 10,
      })),
  ]),
);
const queries = Object.fromEntries(
  days.map((day, ago) => [
    day,
    [{ query: ago % 2 === 0 ? 'even' : 'odd', impressions: 7, clicks: ago % 4, position: 2 }],
  ]),
);
const pageQueries = Array.from({ length: 12 }, (_, index) => ({
  ...{ path: '/blog/a', query: `query ${String(index).padStart(2, '0')}` },
  ...{ impressions: 50, clicks: index, position: 4 },
}));
const inspections: Inspection[] = [
  inspectionOf('/', { inspectedAt: TEST_NOW - DAY }),
  inspectionOf('/blog/a', {
    verdict: 'NEUTRAL',
    coverageState: 'Crawled - currently not indexed',
    inspectedAt: TEST_NOW,
  }),
  inspectionOf('/shop/1', { inspectedAt: TEST_NOW }),
  inspectionOf('/gone', { verdict: 'FAIL', coverageState: 'Not found (404)', inspectedAt: TEST_NOW }),
];
/** Fetches by Googlebot: path, hours ago, status, file type. */
const fetches: [string, number, number, string][] = [
  ['/', 5, 200, 'html'],
  ['/', 6, 304, 'html'],
  ['/blog/a', 30, 200, 'html'],
  ['/blog/a', 31, 503, 'html'],
  ['/blog/b', 40, 200, 'html'],
  ['/shop/1', 24 * 40, 200, 'html'],
  ['/logo.png', 5, 200, 'png'],
];

let engine: TestClickHouse;
let api: TestApi;
beforeAll(async () => {
  engine = await startTestClickHouse();
  api = await createTestApi({ clickhouse: engine.clickhouse });
  const connection = await connectSearch(api.control, api.website.id);
  await storeSearch(engine.clickhouse, connection, {
    pages,
    queries,
    pageQueries,
    inspections,
    at: TEST_NOW - HOUR,
  });
  const crawler = {
    ...{ website_id: api.website.id, is_bot: true, traffic_class: 'search_bot' as const },
    ...{ bot_category: 'search' as const, bot_name: 'Googlebot', bot_family: 'Google' },
  };
  const rows = fetches.map(([path, hoursAgo, status, file_type]) => ({
    ...crawler,
    ...{
      path,
      status,
      file_type,
      timestamp: TEST_NOW - hoursAgo * HOUR,
      bot_verification: 'verified' as const,
    },
  }));
  const spoofed = {
    ...rows[0]!,
    path: '/fake',
    bot_verification: 'spoofed' as const,
    traffic_class: 'spoofed_bot' as const,
  };
  await insertStored(
    engine.clickhouse,
    [...rows, spoofed].map((row) => storedRequest(row)),
    {
      deduplicationToken: 'search-reads',
    },
  );
});
afterAll(() => engine.stop());

/** The expected answers for these rows. */
function figuresOf(rows: readonly { impressions: number; clicks: number; position: number }[]) {
  const sum = (name: 'impressions' | 'clicks') => rows.reduce((all, row) => all + row[name], 0);
  const impressions = sum('impressions');
  const clicks = sum('clicks');
  const places = rows.reduce((all, row) => all + row.position * row.impressions, 0);
  return {
    ...{ impressions, clicks, ctr: Math.round((1e4 * clicks) / impressions) / 1e4 },
    position: Math.round((100 * places) / impressions) / 100,
  };
}
const within = (from: number, to: number) => days.slice(from, to).flatMap((day) => pages[day]!);
const ofPath = (path: string, count = 28) => within(0, count).filter((row) => row.path === path);

describe('search/performance', () => {
  test('counts whole days up to the last day of data, compared with the same number before', async () => {
    const { status, body } = await api.read('/search/performance?hours=145');
    expect(status).toBe(200);
    expect(body.window).toEqual({ start: '2026-11-12', end: THROUGH, days: 7, data_through: THROUGH });
    expect(body.totals).toEqual({ ...figuresOf(within(0, 7)), days_with_data: 7 });
    expect(body.previous).toEqual({
      ...{ window: { start: '2026-11-05', end: '2026-11-11' }, days_with_data: 7 },
      ...figuresOf(within(7, 14)),
    });
    expect(body.series.map(({ day }: { day: string }) => day)).toEqual(days.slice(0, 7).reverse());
    expect(body.series.at(-1)).toEqual({ day: THROUGH, ...figuresOf(pages[THROUGH]!) });
    expect(body.top_pages[0]).toEqual({ path: '/', ...figuresOf(ofPath('/', 7)) });
    const asked = days.slice(0, 7).flatMap((day) => queries[day]!);
    expect(body.top_queries).toEqual(
      ['odd', 'even'].map((query) => ({ query, ...figuresOf(asked.filter((row) => row.query === query)) })),
    );
    expect(body).toMatchObject({
      ...{ sc_connected: true, available: true, reason: null, source: 'google-search-console' },
      ...{ last_sync_at: new Date(TEST_NOW - HOUR).toISOString(), last_sync_counts: { days: 40 } },
    });
  });

  test('uses dates unchanged', async () => {
    const { body } = await api.read('/search/performance?start=2026-11-16&end=2026-11-20');
    expect(body.window).toEqual({ start: '2026-11-16', end: '2026-11-20', days: 5, data_through: THROUGH });
    expect(body.totals).toEqual({ ...figuresOf(within(0, 3)), days_with_data: 3 });
  });

  test('returns the reason if it has no figures', async () => {
    const path = `/public/v1/websites/${api.foreignWebsite.id}/search/performance`;
    const read = async () => (await api.request(path, { key: api.keys.foreign })).body;
    expect(await read()).toMatchObject({
      sc_connected: false,
      available: false,
      reason: 'sc_not_connected',
      totals: null,
    });
    await connectSearch(api.control, api.foreignWebsite.id, { property: 'sc-domain:example.org' });
    expect(await read()).toMatchObject({
      sc_connected: true,
      available: false,
      reason: 'not_synced_yet',
      window: null,
    });
  });

  test('with a failing store is 503 and retryable', async () => {
    const broken = await brokenApi();
    const { status, body, headers } = await broken.read('/search/performance');
    expect(status).toBe(503);
    expect(body).toMatchObject({ retryable: true, detail: expect.any(String) });
    expect(headers.get('Retry-After')).toBe('5');
  });
});

const failing: ClickHouseReader = {
  read: () => Promise.reject(new StoreUnavailableError('away')),
};

async function brokenApi(): Promise<TestApi> {
  const broken = await createTestApi({ reader: failing });
  await connectSearch(broken.control, broken.website.id);
  return broken;
}

describe('search/queries', () => {
  test('returns a page’s ten queries with most clicks, and its days', async () => {
    const { body } = await api.read('/search/queries?path=/blog/a');
    expect(body.top_queries).toHaveLength(10);
    expect(body.top_queries[0]).toEqual({ query: 'query 11', ...figuresOf([pageQueries[11]!]) });
    expect(body.daily).toHaveLength(28);
    expect(body.daily.at(-1)).toEqual({
      day: THROUGH,
      ...figuresOf(pages[THROUGH]!.filter(({ path }) => path === '/blog/a')),
    });
    expect(body.queries_synced_at).toBe(new Date(TEST_NOW - HOUR).toISOString());
    expect((await api.read('/search/queries?path=/none')).body).toMatchObject({
      available: true,
      top_queries: [],
      daily: [],
    });
  });

  test('counts only the last read of each day', async () => {
    const other = await createTestApi({ clickhouse: engine.clickhouse });
    const connection = await connectSearch(other.control, other.website.id);
    const row = (impressions: number) => ({ path: '/a', impressions, clicks: 1, position: 2 });
    const [first, second] = [days[1]!, days[0]!];
    const store = (given: Readonly<Record<string, ReturnType<typeof row>[]>>, at: number) =>
      storeSearch(engine.clickhouse, connection, { pages: given, at });
    await store({ [first]: [row(1)], [second]: [row(2)] }, TEST_NOW - 2 * HOUR);
    // The page has no impressions on one day any more.
    await store({ [first]: [], [second]: [row(30)] }, TEST_NOW - HOUR);
    const daily = [{ day: second, ...figuresOf([row(30)]) }];
    expect((await other.read('/search/queries?path=/a')).body).toMatchObject({ top_queries: [], daily });
    expect((await other.read('/url?path=/a')).body.index_status).toMatchObject({
      ...{ available: false, reason: 'not_inspected', impressions_28d: 30, daily },
    });
  });

  test('returns the reason if it has no figures', async () => {
    const other = await createTestApi({ clickhouse: engine.clickhouse });
    const read = async () => (await other.read('/search/queries?path=/a')).body;
    expect(await read()).toMatchObject({ sc_connected: false, reason: 'sc_not_connected', daily: null });
    await connectSearch(other.control, other.website.id);
    expect(await read()).toMatchObject({ sc_connected: true, reason: 'not_synced_yet', daily: null });
  });
});

describe('search/reconcile', () => {
  test('puts each page that was fetched or inspected into one bucket', async () => {
    const { body } = await api.read('/search/reconcile');
    expect(body).toMatchObject({
      ...{ sc_connected: true, period_hours: 168, inspected_paths: 4, fetched_paths: 3, examples_cap: 50 },
      counts: {
        ...{ indexed_fetched: 1, indexed_not_fetched: 1, not_indexed_fetched: 1 },
        ...{ fetched_not_inspected: 1, not_indexed_not_fetched: 1 },
      },
      data_buffering: false,
    });
    expect(body.buckets.not_indexed_fetched).toEqual([
      {
        ...{
          path: '/blog/a',
          fetches: 2,
          last_fetch: new Date(TEST_NOW - 30 * HOUR).toISOString(),
          error_fetches: 1,
        },
        ...{ index_status: 'not_indexed', index_status_reason: 'Crawled - currently not indexed' },
        impressions_28d: figuresOf(ofPath('/blog/a')).impressions,
        clicks_28d: figuresOf(ofPath('/blog/a')).clicks,
      },
    ]);
    expect(body.buckets.indexed_not_fetched[0]).toMatchObject({
      path: '/shop/1',
      fetches: 0,
      last_fetch: null,
    });
    expect(body.buckets.fetched_not_inspected[0]).toMatchObject({ path: '/blog/b', index_status: 'pending' });
    expect(body.buckets.not_indexed_not_fetched[0]).toMatchObject({ path: '/gone', impressions_28d: 0 });
  });

  test('is cached for an hour per period', async () => {
    let reads = 0;
    const counting: ClickHouseReader = {
      read: (query) => {
        if (query.name === 'search_reconcile.counts') reads++;
        return Promise.resolve([]);
      },
    };
    const other = await createTestApi({ reader: counting });
    expect((await other.read('/search/reconcile')).body).toMatchObject({
      sc_connected: false,
      counts: null,
      buckets: null,
    });
    await connectSearch(other.control, other.website.id);
    for (const hours of [168, 168, 24]) await other.read(`/search/reconcile?hours=${hours}`);
    expect(reads).toBe(2);
    other.advance(HOUR);
    await other.read('/search/reconcile');
    expect(reads).toBe(3);
  });
});

describe('seo/index-coverage', () => {
  test('counts pages by whether they were crawled recently and are indexed', async () => {
    const { body } = await api.read('/seo/index-coverage');
    expect(body.buckets).toEqual({
      ...{ crawled_indexed: 1, crawled_not_indexed: 1, not_crawled_indexed: 1 },
      ...{ not_crawled_not_indexed: 1, pending_inspection: 1 },
    });
    expect(body).toMatchObject({ sc_connected: true, message: null, total_urls: 5, total_directories: 3 });
    expect(body.property_url).toBe('https://www.example.com/');
    expect(body.directories.map(({ directory }: { directory: string }) => directory)).toEqual([
      '/',
      '/blog/',
      '/shop/',
    ]);
    expect(body.directories[1]).toMatchObject({
      crawled_not_indexed: 1,
      pending_inspection: 1,
      crawled_indexed: 0,
    });
    expect(body.data_freshness.data_through).toBe(THROUGH);
    const { body: second } = await api.read('/seo/index-coverage?dir_page=9&dir_page_size=2');
    expect(second).toMatchObject({
      directories: [],
      total_urls: 5,
      total_directories: 3,
      buckets: body.buckets,
    });
    const { body: wide } = await api.read('/seo/index-coverage?hours=1200');
    expect(wide.buckets).toMatchObject({ crawled_indexed: 2, not_crawled_indexed: 0 });
  });

  test('returns a hint without a connected source, and is 503 if stored records can not be read', async () => {
    const other = await createTestApi({ clickhouse: engine.clickhouse });
    expect((await other.read('/seo/index-coverage')).body).toMatchObject({
      ...{ sc_connected: false, message: expect.stringContaining('No search-performance source') },
      ...{ buckets: null, directories: null },
    });
    expect((await (await brokenApi()).read('/seo/index-coverage')).status).toBe(503);
  });

  test('lists the pages by impressions, by bucket or folder, in pages or all at once', async () => {
    const { body } = await api.read('/seo/index-coverage/urls');
    expect(body.urls.map(({ url_path, bucket }: any) => [url_path, bucket])).toEqual([
      ['/shop/1', 'not_crawled_indexed'],
      ['/blog/b', 'pending_inspection'],
      ['/blog/a', 'crawled_not_indexed'],
      ['/', 'crawled_indexed'],
      ['/gone', 'not_crawled_not_indexed'],
    ]);
    expect(body.urls[2]).toEqual({
      ...{ url_path: '/blog/a', bucket: 'crawled_not_indexed', crawl_count: 2, last_crawled_by: 'Googlebot' },
      last_crawled_at: new Date(TEST_NOW - 30 * HOUR).toISOString(),
      ...{ index_status: 'not_indexed', index_status_reason: 'Crawled - currently not indexed' },
      ...{ inspection_verdict: 'NEUTRAL', inspected_at: new Date(TEST_NOW).toISOString() },
      ...{
        inspected_url: 'https://www.example.com/blog/a',
        engine_canonical: 'https://www.example.com/blog/a',
      },
      impressions_28d: figuresOf(ofPath('/blog/a')).impressions,
      clicks_28d: figuresOf(ofPath('/blog/a')).clicks,
      avg_position: figuresOf(ofPath('/blog/a')).position,
    });
    expect(body).toMatchObject({ page: 1, page_size: 50, total: 5, total_pages: 1, bucket_filter: null });
    const list = async (query: string) => (await api.read(`/seo/index-coverage/urls?${query}`)).body;
    expect((await list('bucket=pending_inspection')).urls).toHaveLength(1);
    expect(await list('bucket=no_such')).toMatchObject({ urls: [], total: 0, bucket_filter: 'no_such' });
    expect(await list('directory=/blog')).toMatchObject({ total: 2, directory_filter: '/blog/' });
    expect(await list('page_size=2&page=3')).toMatchObject({
      total: 5,
      total_pages: 3,
      urls: [{ url_path: '/gone' }],
    });
    expect((await list('page_size=0')).urls).toHaveLength(5);
  });

  test('refuses the list without a source, and is 503 if it can not be read', async () => {
    const other = await createTestApi({ clickhouse: engine.clickhouse });
    expect((await other.read('/seo/index-coverage/urls')).status).toBe(400);
    expect((await (await brokenApi()).read('/seo/index-coverage/urls')).status).toBe(503);
  });
});

describe('index_status of /url', () => {
  const indexStatus = async (path: string, test = api) =>
    (await test.read(`/url?path=${path}`)).body.index_status;

  test('returns the inspection and the searches of the page', async () => {
    expect(await indexStatus('/blog/a')).toMatchObject({
      ...{ available: true, reason: null, index_status: 'not_indexed', inspection_verdict: 'NEUTRAL' },
      impressions_28d: figuresOf(ofPath('/blog/a')).impressions,
      avg_position: figuresOf(ofPath('/blog/a')).position,
      top_queries: expect.arrayContaining([expect.objectContaining({ query: 'query 11' })]),
    });
    expect(await indexStatus('/blog/b')).toMatchObject({
      ...{ available: false, reason: 'not_inspected', index_status: null },
      impressions_28d: figuresOf(ofPath('/blog/b')).impressions,
    });
  });

  /** The page's searches fail. */
  async function failingWith(error: Error) {
    const { clickhouse } = engine;
    const reader: ClickHouseReader = {
      read: (query) =>
        query.name === 'search_performance.page' ? Promise.reject(error) : clickhouse.read(query),
    };
    const other = await createTestApi({ reader });
    await connectSearch(other.control, other.website.id);
    return other;
  }

  test('that can not be read reports it, and the other sections are complete', async () => {
    const other = await failingWith(new Error('wrong'));
    expect(await indexStatus('/a', other)).toMatchObject({ available: false, reason: 'lookup_failed' });
  });

  test.each([
    new StoreTimeoutError('slow'),
    new StoreUnavailableError('away'),
    new PublicError('unavailable', 'Too many reads are waiting.', { retryAfterSeconds: 7 }),
  ])(
    'that is not read because of the load fails the answer, so that it is not cached (%s)',
    async (error) => {
      const { status, headers } = await (await failingWith(error)).read('/url?path=/a');
      expect(status).toBe(503);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    },
  );
});
