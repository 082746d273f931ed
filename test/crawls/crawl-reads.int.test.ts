import { afterAll, beforeAll, expect, test } from 'vitest';
import { crawlLinks } from '../../services/api/operations/crawls/crawl-links.js';
import { finishCrawl } from '../../services/jobs/crawls/site/finish-crawl.js';
import { HOUR_MS } from '../../shared/durations.js';
import { crawlAudit } from '../../shared/reads/crawls/crawl-audit.js';
import { crawlReport } from '../../shared/reads/crawls/crawl-report.js';
import type { Filters } from '../../shared/reads/sql/filters.js';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import {
  crawledPage,
  failed,
  linksOf,
  redirectTo,
  type StoredCrawl,
  storeCrawl,
  url,
} from '../harness/stored-crawl.js';
import { googlebot, insertStored, type StoredRequest, storedRequest } from '../harness/stored-requests.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';

const NOW = Date.UTC(2026, 10, 22, 12);
const crawl = { websiteId: 'web_1', crawlId: 'crawl-1' };
const read = { crawlId: 'crawl-1', source: 'service_crawler' as const, urlCount: 11, completedAt: null };

/** 0: home. 1 to 3: linked. 4 and 5: same path. 6: gone. 7: moved. 8: only in the sitemap. 9: without a title. 10: moved to home. */
const site: StoredCrawl = {
  pages: [
    crawledPage(0, '/'),
    crawledPage(1, '/blog/a'),
    crawledPage(2, '/blog/b'),
    crawledPage(3, '/c', { title: '' }),
    crawledPage(4, '/list', { title: 'List' }),
    crawledPage(5, '/list', {
      url: url('/list?sort=price'),
      canonical: url('/list?sort=price'),
      title: 'List',
    }),
    crawledPage(6, '/gone', failed(404)),
    crawledPage(7, '/old', redirectTo('/c')),
    crawledPage(8, '/alone', { foundBy: 'sitemap', inSitemap: true }),
    crawledPage(9, '/d', { title: '' }),
    crawledPage(10, '/', { ...redirectTo('/'), url: 'http://example.com/' }),
  ],
  links: [
    ...[1, 2, 4, 5, 6, 7].map((to) => [0, to] as const),
    ...[0, 2, 9].map((to) => [1, to] as const),
    ...[0, 6].map((to) => [2, to] as const),
  ],
};

const gptbot = {
  ...{
    is_bot: true,
    traffic_class: 'ai_bot' as const,
    bot_name: 'GPTBot',
    bot_family: 'OpenAI',
    bot_category: 'ai',
    bot_verification: 'unverifiable' as const,
  },
};
/** Requests by path: verified search crawlers, unproved claims of them, impostors, AI, people. */
const asked: readonly (readonly [
  path: string,
  verified: number,
  claimed: number,
  spoofed: number,
  ai: number,
  people: number,
])[] = [
  ['/', 9, 0, 1, 2, 30],
  ['/blog/a', 4, 1, 0, 0, 3],
  ['/c', 0, 2, 3, 1, 0],
  ['/list', 5, 0, 0, 0, 8],
  ['/gone', 3, 0, 0, 0, 1],
  ['/old', 2, 0, 0, 0, 0],
  ['/alone', 6, 0, 0, 0, 0],
  ['/unknown', 7, 0, 0, 0, 0],
  ['/elsewhere', 0, 3, 0, 4, 5],
];

function requests(): StoredRequest[] {
  const kinds = [
    googlebot,
    { ...googlebot, bot_verification: 'unverifiable' },
    { ...googlebot, bot_verification: 'spoofed', traffic_class: 'spoofed_bot' },
    gptbot,
    {},
  ] as readonly Partial<StoredRequest>[];
  return asked.flatMap(([path, ...counts], place) =>
    counts.flatMap((count, kind) =>
      Array.from({ length: count }, (_, index) =>
        storedRequest({
          ...kinds[kind],
          ...{ website_id: 'web_1', path, timestamp: NOW - (1 + index) * 5 * HOUR_MS },
          ...{ log_index: place * 1_000 + kind * 100 + index },
          status: path === '/gone' ? 404 : 200,
        }),
      ),
    ),
  );
}

let engine: TestClickHouse;
beforeAll(async () => {
  engine = await startTestClickHouse();
  const { clickhouse } = engine;
  await storeCrawl(clickhouse, crawl, site);
  await finishCrawl(crawl, { reader: clickhouse, writer: clickhouse });
  const image = storedRequest({
    ...googlebot,
    website_id: 'web_1',
    path: '/logo.png',
    file_type: 'png',
    timestamp: NOW - HOUR_MS,
    log_index: 90_000,
  });
  const early = storedRequest({
    ...googlebot,
    website_id: 'web_1',
    path: '/blog/b',
    timestamp: NOW - 800 * HOUR_MS,
    log_index: 90_001,
  });
  const foreign = storedRequest({
    ...googlebot,
    website_id: 'web_2',
    path: '/blog/b',
    timestamp: NOW - HOUR_MS,
  });
  await insertStored(clickhouse, [...requests(), image, early], {
    deduplicationToken: 'own',
    retentionDays: 25_000,
  });
  await insertStored(clickhouse, [foreign], { deduplicationToken: 'foreign', retentionDays: 25_000 });
}, 600_000);
afterAll(() => engine?.stop());

const scopeOf = (filters: Filters = {}) => ({
  websiteId: 'web_1',
  window: { start: NOW - 720 * HOUR_MS, end: NOW, running: true as const },
  filters,
});
const blog = { rules: [{ type: 'prefix' as const, value: '/blog/' }], excludeRules: [] };

const report = (filters?: Filters) =>
  crawlReport.read(engine.clickhouse, scopeOf(filters), { crawl: read, connection: null, limit: 10 });
const audit = (filters?: Filters, limit = 10) =>
  crawlAudit.read(engine.clickhouse, scopeOf(filters), { crawl: read, limit });
const links = (filters?: Filters, limit = 50) =>
  crawlLinks.read(engine.clickhouse, scopeOf(filters), { crawl: read, limit });

test('the report lists pages that verified search crawlers fetch, pages that they ignore, and unlinked pages', async () => {
  const body = await report();
  // Indexable: 0, 1, 2, 3, 4, 5, 8, 9.
  expect(body.summary).toEqual({
    ...{ pages_in_crawl: 11, indexable_pages: 8, active: 5, ignored: 3, orphans: 2, active_pct: 62.5 },
    ...{ ignored_but_claimed: 1, verified_hits: 24, unproved_hits: 3 },
  });
  expect(
    body.ignored.map(({ path, depth, inlinks, impressions_28d, search_hits }) => [
      path,
      depth,
      inlinks,
      impressions_28d,
      search_hits,
    ]),
  ).toEqual([
    ['/blog/b', 1, 2, null, 0],
    ['/c', 1, 1, null, 2],
    ['/d', 2, 1, null, 0],
  ]);
  expect(body.orphans).toEqual([
    { path: '/unknown', search_hits: 7, last_status: 200 },
    { path: '/alone', search_hits: 6, last_status: 200 },
  ]);
});

test('buckets contain every indexable page once, and count the hits of a shared path once', async () => {
  const body = await report();
  expect(body.by_depth.filter(({ pages }) => pages > 0)).toEqual([
    { bucket: '0', pages: 1, crawled_pct: 100, hits_per_page: 9 },
    { bucket: '1', pages: 5, crawled_pct: 60, hits_per_page: 1.8 },
    { bucket: '2', pages: 1, crawled_pct: 0, hits_per_page: 0 },
    { bucket: 'unlinked', pages: 1, crawled_pct: 100, hits_per_page: 6 },
  ]);
  expect(body.by_inlinks.reduce((sum, { pages }) => sum + pages, 0)).toBe(8);
});

test('the audit orders findings by severity, then hits, and counts the hits of a path once', async () => {
  const body = await audit();
  expect(body.findings.map(({ key, severity, count, bot_hits }) => [key, severity, count, bot_hits])).toEqual(
    [
      ['broken_links', 'high', 1, 3],
      ['missing_titles', 'high', 2, 0],
      ['duplicate_titles', 'medium', 2, 5],
      ['links_to_redirects', 'low', 1, 2],
    ],
  );
  expect(body.totals).toEqual({ high: 3, medium: 2, low: 1, bot_hits_on_findings: 3 + 0 + 5 + 2 });
  expect(body.findings[0]!.rows).toEqual([
    {
      ...{ path: '/gone', url: url('/gone'), status: 404, problem: 'client_error', value: 2, text: null },
      ...{ examples: ['/', '/blog/b'], search_hits: 3, human_hits: 1 },
      last_search_hit: new Date(NOW - 5 * HOUR_MS).toISOString(),
    },
  ]);
  expect(body.findings[1]!.rows.map(({ path, last_search_hit }) => [path, last_search_hit])).toEqual([
    ['/c', null],
    ['/d', null],
  ]);
});

test('a limit cuts the rows of a finding, but not its figures', async () => {
  const whole = await audit();
  const cut = await audit({}, 1);
  expect(cut.totals).toEqual(whole.totals);
  expect(cut.findings.map(({ rows, ...figures }) => [rows.length, figures])).toEqual(
    whole.findings.map(({ rows, ...figures }) => [1, figures]),
  );
});

test('the graph has all pages with their hits, the home page first, and the links between them', async () => {
  const body = await links();
  expect(body.nodes).toHaveLength(11);
  expect(body.nodes[0]).toMatchObject({
    path: '/',
    pagerank: 1,
    depth: 0,
    search_hits: 9,
    ai_hits: 2,
    human_hits: 30,
  });
  const expected = linksOf(site).filter(({ kind, from, to }) => kind !== 'canonical' && from !== to);
  const sorted = (edges: readonly (readonly number[])[]) =>
    edges.map(([from, to]) => `${from}>${to}`).toSorted();
  expect(sorted(body.edges)).toEqual(sorted(expected.map(({ from, to }) => [from, to])));
  expect(body.edges_total).toBe(expected.length);
  expect(body.not_fetched.map(({ path }) => path).toSorted()).toEqual(['/blog/b', '/c', '/d']);
  expect(body.hardly_linked.map(({ path }) => path)).toEqual(['/alone', '/list', '/blog/a', '/old']);
});

test('a segment narrows pages and requests', async () => {
  expect((await report({ segment: blog })).summary).toMatchObject({
    pages_in_crawl: 2,
    active: 1,
    ignored: 1,
    orphans: 0,
  });
  expect((await audit({ segment: blog })).findings).toEqual([]);
  expect(
    (await links({ segment: blog })).nodes.map(({ path, search_hits }) => [path, search_hits]).toSorted(),
  ).toEqual([
    ['/blog/a', 4],
    ['/blog/b', 0],
  ]);
});

test('a filter that only one of the tables supports narrows the hits, but no pages', async () => {
  const body = await links({ countries: ['US'] });
  expect(body.nodes).toHaveLength(11);
  expect(body.nodes[0]).toMatchObject({ path: '/', search_hits: 9, human_hits: 0 });
  expect((await links({ countries: ['DE'] })).nodes[0]).toMatchObject({ search_hits: 0, human_hits: 30 });
});

test('without a crawl only the reason is returned', async () => {
  const none = { crawl: null, connection: null, limit: 50 };
  for (const answer of [crawlReport, crawlAudit, crawlLinks])
    expect(await answer.read(engine.clickhouse, scopeOf(), none)).toMatchObject({
      available: false,
      reason: 'no_crawl',
      crawl: null,
    });
});

test('hits follow a late verdict, which no statement joins', async () => {
  const claim = { ...googlebot, bot_verification: 'pending' as const, client_ip: '198.51.100.77' };
  const pending = [1, 2].map((index) =>
    storedRequest({
      ...claim,
      ...{ website_id: 'web_1', path: '/blog/b', timestamp: NOW - HOUR_MS, log_index: 91_000 + index },
    }),
  );
  await insertStored(engine.clickhouse, pending, { deduplicationToken: 'pending', retentionDays: 25_000 });
  const joining: string[] = [];
  const reader: ClickHouseReader = {
    read(query) {
      if (query.name !== 'verdicts.late' && query.sql.includes('claim_verdicts')) joining.push(query.name);
      return engine.clickhouse.read(query);
    },
  };
  const given = { crawl: read, connection: null, limit: 50 };
  const hits = async () => {
    const { summary, ignored } = await crawlReport.read(reader, scopeOf(), given);
    const { nodes } = await crawlLinks.read(reader, scopeOf(), given);
    await crawlAudit.read(reader, scopeOf(), given);
    const ofPage = <Row extends { path: string }>(rows: readonly Row[]) =>
      rows.find(({ path }) => path === '/blog/b');
    return [summary?.active, ofPage(ignored)?.search_hits, ofPage(nodes)?.search_hits];
  };
  expect(await hits()).toEqual([5, 2, 0]);
  const verdict = {
    websiteId: 'web_1',
    family: 'Google',
    clientIp: claim.client_ip,
    status: 'verified',
  } as const;
  await insertVerdicts(engine.clickhouse, [{ ...verdict, decidedAt: NOW }], 'verdict');
  expect(await hits()).toEqual([6, undefined, 2]);
  expect(joining).toEqual([]);
});
