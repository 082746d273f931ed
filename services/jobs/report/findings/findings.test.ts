import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Changes, reportData } from '../../../../test/harness/jobs/report-data.js';
import { findAll } from './all-report-findings.js';

/** For each finding: data that reports it, and data that just does not. */

const split = (verified: number, unverified = 0, spoofed = 0) => ({
  ...{ requests: verified + unverified, verified, unverified, spoofed },
});
const bot = (bot_category: string, served: number, rejected: number) => ({
  ...{ bot_name: 'Googlebot', bot_operator: 'Google', bot_category },
  ...{ verified_requests: served + rejected, real_crawler: 'limited' },
  ...{ served: split(served), rejected: split(rejected), payment_required: split(0) },
});
/** Impostors were rejected too. */
const shutOut = (bot_category: string, rejected: number) => ({
  ...bot(bot_category, 0, rejected),
  real_crawler: 'shut_out',
});
const inverted = { ...shutOut('ai', 133), bot_name: 'GPTBot', real_crawler: 'inverted', served: split(0, 8) };
/** None of its requests is verified. */
const unproved = {
  ...bot('ai', 0, 0),
  ...{ verified_requests: 0, real_crawler: 'unproved', served: split(0, 11), rejected: split(0, 1_538) },
};
const alert = (created_at: string, severity: string) => ({
  ...{ created_at, severity, message: 'Traffic fell.', acknowledged: false, details: {} },
});
const robotsTxt = (served: number, failed: number) => ({ crawlersMet: { robotsTxt: { served, failed } } });
const page = { path: '/a', statuses: { 200: 3, 500: 4 }, status_5xx: 4, total_requests: 7 };
const aiPage = (requests: number, status_4xx: number) => ({
  path: '/a',
  requests,
  status_4xx,
  status_5xx: 0,
});
const list = (count: number, one: Changes) => Array.from({ length: count }, () => one);
const address = { ip: '192.0.2.7', as_name: 'Net', reason_badges: ['scraper'], request_count: 9 };
const check = (verdict: string) => ({
  id: 'a',
  title: 'A',
  verdict,
  weight: 5,
  evidence: { note: 'Not so.' },
});
const crawled = (of: Changes) => ({ crawl: { requestsBefore: null, ...of } });
const listed = (of: Changes) => ({ sitemap: { totals: of } });
const siteCrawled = (summary: Changes) => ({ siteCrawl: { summary } });
const fault = (severity: string) => ({
  ...{ key: 'broken_links', severity, count: 2, bot_hits: 7 },
  rows: [{ path: '/gone', search_hits: 7 }],
});
const shown = (of: Changes) => ({
  aiFunnel: { discovery: { sc_connected: true, pages: [{ path: '/a', impressions_28d: 90 }], ...of } },
});

interface Case {
  readonly title: string;
  /** A number in its text. */
  readonly shows: string;
  readonly fires: Changes;
  readonly silent: readonly Changes[];
}

const cases: readonly Case[] = [
  {
    ...{ title: 'No log data is arriving', shows: '2026-11-20 10:00 UTC' },
    fires: { health: { data_flowing: false, last_received_at: '2026-11-20T10:00:00.000Z' } },
    silent: [{ health: { data_flowing: false }, summary: { data_since: null } }],
  },
  {
    ...{ title: 'Verified search crawlers are blocked', shows: '10 requests from verified search crawlers' },
    fires: { access: { bots: [bot('search', 990, 10)] } },
    silent: [9, 0]
      .map((rejected) => ({ access: { bots: [bot('search', 100, rejected)] } }))
      .concat([
        { access: { bots: [bot('search', 991, 10)] } },
        { access: { bots: [bot('monitor', 0, 500)] } },
      ]),
  },
  {
    ...{ title: 'robots.txt is not available', shows: 'Loglane’s last fetch: status 503.' },
    fires: { robots: { status: 'server_error', problem: 'status 503.' } },
    silent: [
      ...['missing', 'blocked'].map((status) => ({ robots: { status } })),
      { robots: null },
      // Crawlers were served the file, so only Loglane was refused.
      { robots: { status: 'unreachable' }, ...robotsTxt(80, 2) },
      robotsTxt(0, 2),
      // Loglane cannot reach the website, and no crawler requested the file.
      ...['shop.example has no address in DNS, or DNS did not answer.', 'It could not be reached.'].map(
        (problem) => ({ robots: { status: 'unreachable', problem } }),
      ),
    ],
  },
  {
    ...{ title: 'Search crawlers get server errors', shows: '6 requests from search crawlers' },
    fires: { ...crawled({ serverErrors: 6 }), consistency: { pages: [page] } },
    silent: [crawled({ serverErrors: 5 }), crawled({ requests: 100, serverErrors: 4 })],
  },
  {
    ...{ title: 'Search engines crawl less than before', shows: '20 % fewer' },
    fires: crawled({ requestsBefore: 100, requests: 80 }),
    silent: [
      crawled({ requestsBefore: 99, requests: 9 }),
      crawled({ requestsBefore: 1_000, requests: 801 }),
      crawled({ requestsBefore: null, requests: 9 }),
      // Unverified claims fell, verified requests did not.
      {
        traffic: { previous: { search_bot_requests: 1_000 }, deltas: { search_bot_requests_pct: -90 } },
      },
      crawled({ requestsBefore: 1_000, requests: 9, unproved: 991 }),
    ],
  },
  {
    ...{ title: 'Pages fail for search crawlers again and again', shows: '1 of 10 pages' },
    fires: { consistency: { summary: { unsteady: 1 }, pages: [page] } },
    silent: [{ consistency: null }],
  },
  {
    ...{ title: 'Search crawlers request pages that do not exist', shows: '60 requests' },
    fires: crawled({ notFound: 60 }),
    silent: [crawled({ notFound: 59 }), crawled({ requests: 100, notFound: 19 })],
  },
  {
    ...{ title: 'Search crawlers did not fetch some pages of the sitemaps', shows: '30 of 1,000 pages' },
    fires: listed({ never_crawled: 30 }),
    silent: [listed({ never_crawled: 29 }), listed({ all: 10, never_crawled: 4 }), { sitemap: null }],
  },
  {
    ...{ title: 'Groups of pages are slow for search crawlers', shows: '1.0 s' },
    fires: crawled({ templates: [{ pattern: '/a/*', meanMs: 700, p75Ms: 1_000, requests: 20 }] }),
    silent: [crawled({ templates: [{ pattern: '/a/*', meanMs: 5_000, p75Ms: 999, requests: 20 }] })],
  },
  {
    ...{ title: 'Nightly checks fail', shows: '1 check fails of 2' },
    fires: { checks: { checks: [check('fail'), check('pass')] } },
    silent: ['warn', 'unknown'].map((verdict) => ({ checks: { checks: [check(verdict)] } })),
  },
  {
    ...{ title: 'Critical incidents in the period', shows: '1 critical alert, 1 of them' },
    fires: { alerts: { alerts: [alert('2026-11-21T23:59:59.999Z', 'critical')] } },
    silent: [{ alerts: { alerts: [alert('2026-11-20T00:00:00.000Z', 'warning')] } }],
  },
  {
    ...{ title: 'Sitemaps are missing or cannot be read', shows: 'names no sitemap' },
    fires: { sitemap: { reason: 'no_sitemap', available: false } },
    silent: [
      { sitemap: { reason: 'fetching_is_off' } },
      { sitemap: { reason: 'not_fetched_yet' } },
      // A network without internet access shows nothing about search engines.
      ...['dns', 'timeout', 'http_403'].map((problem) => ({
        sitemap: {
          reason: 'not_read_yet',
          snapshot: { problems: [{ problem, sitemap: '/a', message: '' }] },
        },
      })),
    ],
  },
  {
    ...{ title: 'Search crawlers are redirected often', shows: '150 requests' },
    fires: crawled({ redirected: 150 }),
    silent: [crawled({ redirected: 149 }), crawled({ requests: 100, redirected: 19 })],
  },
  {
    ...{ title: 'Search crawlers spend much crawling on URLs with parameters', shows: '300 requests' },
    fires: crawled({ withQuery: 300 }),
    silent: [crawled({ withQuery: 299 }), crawled({ requests: 100, withQuery: 49 })],
  },
  {
    ...{ title: 'Search crawlers return to some pages too rarely', shows: '100 pages' },
    fires: listed({ stale: 100 }),
    silent: [
      listed({ stale: 99 }),
      listed({ all: 50, stale: 19 }),
      listed({ stale: null }),
      { sitemap: null },
    ],
  },
  {
    ...{ title: 'Crawled pages are missing from the sitemaps', shows: '20 pages' },
    fires: listed({ not_in_sitemap: 20 }),
    silent: [listed({ not_in_sitemap: 19 }), listed({ not_in_sitemap: null })],
  },
  {
    ...{ title: 'AI crawlers are blocked', shows: '1 AI crawler was' },
    fires: { access: { bots: [bot('ai', 20, 20)] } },
    silent: [
      { access: { bots: [bot('ai', 21, 20)] } },
      { access: { bots: [bot('ai', 0, 19)] } },
      // Impostors are rejected, and the real crawler is served.
      { access: { bots: [{ ...bot('ai', 90, 0), rejected: split(0, 500, 500) }] } },
      { access: { bots: [{ ...bot('ai', 0, 0), payment_required: split(90), real_crawler: 'charged' }] } },
    ],
  },
  {
    ...{ title: 'Most search crawler requests are not verified', shows: '522 of 822 requests' },
    fires: { seo: { crawler_requests: 822, verified_requests: 300, unproved_requests: 522 } },
    silent: [
      { seo: { crawler_requests: 1_044, verified_requests: 522, unproved_requests: 522 } },
      { seo: { crawler_requests: 49, verified_requests: 0, unproved_requests: 49 } },
    ],
  },
  {
    ...{ title: 'AI crawlers get errors on the pages that they request most', shows: '5 %' },
    fires: { aiPages: { pages: [aiPage(400, 20)] } },
    silent: [
      { aiPages: { pages: [aiPage(401, 20)] } },
      { aiPages: { pages: [aiPage(19, 19)] } },
      // Claims got errors, verified requests got none.
      { llms: { pages: [aiPage(400, 400)] }, aiPages: { pages: [aiPage(400, 0)] } },
    ],
  },
  {
    ...{ title: 'Impostors pretend to be crawlers', shows: '50 requests' },
    fires: { bots: { totals: { spoofed_requests: 50 } } },
    silent: [{ bots: { totals: { spoofed_requests: 49 } } }],
  },
  {
    ...{ title: 'Crawlers fetch pages that robots.txt disallows', shows: '2 pages were' },
    fires: {
      robots: { violations_total: 2, violation_summary: { Bot: { unique_paths: 2, total_requests: 3 } } },
    },
    silent: [{ robots: { violations_total: null } }, { robots: null }],
  },
  {
    ...{ title: 'Harmful addresses are let in', shows: '3 addresses' },
    fires: { recommendations: { ips_to_block: list(3, address) } },
    silent: [{ recommendations: null }],
  },
  {
    ...{ title: 'Search crawlers do not fetch some linked pages', shows: '27 of 900 indexable pages' },
    fires: siteCrawled({ ignored: 27 }),
    silent: [
      siteCrawled({ ignored: 26 }),
      siteCrawled({ ignored: 90, ignored_but_claimed: 64 }),
      siteCrawled({ indexable_pages: 8, ignored: 4 }),
      { ...siteCrawled({ ignored: 27 }), seo: { verified_requests: 0 } },
      { siteCrawl: null },
      { siteCrawl: { available: false, summary: null } },
    ],
  },
  {
    ...{ title: 'Search crawlers fetch pages that nothing links to', shows: '10 pages' },
    fires: siteCrawled({ orphans: 10 }),
    silent: [siteCrawled({ orphans: 9 }), { siteCrawl: null }],
  },
  {
    ...{ title: 'The site crawl found severe faults', shows: 'broken links (2)' },
    fires: { siteAudit: { findings: [fault('high')] } },
    silent: [
      { siteAudit: { findings: [fault('medium'), fault('low')] } },
      { siteAudit: null },
      { siteAudit: { crawl: null } },
    ],
  },
  {
    ...{ title: 'AI assistants do not read some pages that search results show', shows: '5 of 20 pages' },
    fires: shown({ checked: 20, never_fetched: 5 }),
    silent: [shown({ checked: 20, never_fetched: 4 }), shown({ sc_connected: false })],
  },
];

const titlesOf = (changes: Changes) => findAll(reportData(changes)).map(({ title }) => title);

test.each(
  [
    crawled({ serverErrors: 6, basis: 'unproved' }),
    crawled({ notFound: 60, basis: 'unproved' }),
    crawled({ redirected: 150, basis: 'unproved' }),
    crawled({ withQuery: 300, basis: 'unproved' }),
    crawled({ requestsBefore: 9_000, basis: 'unproved' }),
    crawled({
      templates: [{ pattern: '/a/*', meanMs: 700, p75Ms: 1_000, requests: 20 }],
      basis: 'unproved',
    }),
    { aiPages: { basis: 'unproved', pages: [aiPage(400, 20)] } },
    { consistency: { crawl_basis: 'unproved', summary: { unsteady: 1 }, pages: [page] } },
  ].map((changes) => [changes]),
)('a finding that rests on claims says so: %j', (changes) => {
  const found = findAll(reportData(changes));
  expect(found).toHaveLength(1);
  expect(found[0]!.figure).toMatch(/None of these requests is verified as from an? (search|AI) crawler/);
});

test('a website without faults has no finding', () => {
  expect(titlesOf({})).toEqual([]);
});

test('each finding has its cases', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
  expect(new Set(cases.map(({ title }) => title)).size).toBe(
    files.length - ['all-report-findings.ts'].length,
  );
});

test.each(cases)('$title: reported alone if the data has it, with its number and a bounded impact', (one) => {
  const found = findAll(reportData(one.fires));
  expect(found.map(({ title }) => title)).toEqual([one.title]);
  expect(found[0]!.figure).toContain(one.shows);
  expect(found[0]!.impact).toBeGreaterThan(0);
  expect(found[0]!.impact).toBeLessThanOrEqual(100);
  const { examples } = found[0]!;
  for (const row of examples?.rows ?? []) expect(row).toHaveLength(examples!.columns.length);
});

test.each(cases.flatMap(({ title, silent }) => silent.map((changes) => [title, changes] as const)))(
  '%s: silent for %j',
  (_title, changes) => {
    expect(titlesOf(changes)).toEqual([]);
  },
);

test('the highest impact comes first; of equals, the first in the list', () => {
  const found = findAll(
    reportData({
      ...{
        robots: { status: 'unreachable' },
        recommendations: { ips_to_block: [address] },
        ...robotsTxt(0, 1),
      },
      sitemap: { reason: 'no_sitemap', totals: { stale: 100, not_in_sitemap: 0 } },
      crawl: { redirected: 150, withQuery: 300 },
    }),
  );
  const impacts = found.map(({ impact }) => impact);
  expect(impacts).toEqual(impacts.toSorted((one, other) => other - one));
  expect(found[0]!.title).toBe('Sitemaps are missing or cannot be read');
  expect(found).toHaveLength(6);
});

test('an AI crawler that is shut out while impostors are served is reported so', () => {
  const found = findAll(
    reportData({ access: { bots: [inverted, { ...bot('ai', 5_000, 0), bot_name: 'ClaudeBot' }] } }),
  );
  expect(found).toMatchObject([{ title: 'AI crawlers are blocked', impact: 60 }]);
  expect(found[0]!.figure).toContain(
    'The verified GPTBot is blocked while impostors are served: 8 unverified requests under its name were served.',
  );
  expect(found[0]!.examples!.rows).toEqual([['GPTBot', 'Google', '133', '0', '8']]);
});

test('an AI crawler without a verified request is judged by its claims, and the figure says so', () => {
  const [found] = findAll(reportData({ access: { bots: [unproved] } }));
  expect(found!.figure).toContain('1 crawler has no verified request');
  expect(found!.examples!.rows).toEqual([['Googlebot (unverified)', 'Google', '1,538', '11', '0']]);
});

test('a search engine that is always rejected is reported, even if it comes rarely', () => {
  const rare = { ...shutOut('search', 12), bot_name: 'Applebot' };
  const [found] = findAll(reportData({ access: { bots: [rare, bot('search', 50_000, 0)] } }));
  expect(found).toMatchObject({ title: 'Verified search crawlers are blocked', impact: 75 });
  expect(found!.figure).toContain('Applebot is blocked completely.');
});

test.each([
  [{ ...robotsTxt(2, 3) }, 85, '3 of 5 requests for robots.txt from search crawlers failed'],
  [{ robots: { status: 'server_error' }, ...robotsTxt(9, 0) }, 50, 'search crawlers were served it 9 times'],
  [{ robots: { status: 'unreachable' }, ...robotsTxt(0, 1) }, 40, 'no search crawler was served it'],
])('robots.txt is judged first by the responses to search crawlers: %j', (changes, impact, shows) => {
  const [found] = findAll(reportData(changes));
  expect(found).toMatchObject({ title: 'robots.txt is not available', impact });
  expect(found!.figure).toContain(shows);
});

test('the pages to repair first are unsteady ones, and none of them always returns 404', () => {
  const gone = { path: '/gone', statuses: { 404: 90 }, status_5xx: 0, total_requests: 90 };
  const found = findAll(
    reportData({
      consistency: { summary: { unsteady: 1 }, pages: [gone, page] },
      crawl: { consistency: { worst: [{ path: '/a', statuses: { 200: 3, 500: 4 } }] } },
    }),
  );
  expect(found[0]!.examples!.rows).toEqual([['/a', '200 × 3, 500 × 4', '7']]);
});

test('missing pages are those that search crawlers requested, not those that scanners probe', () => {
  const [found] = findAll(
    reportData({
      ...crawled({ notFound: 60 }),
      crawlersMet: { notFoundPaths: [{ path: '/old', requests: 60 }] },
      recommendations: { paths_404: [{ path: '/wp-login.php', request_count: 900 }] },
    }),
  );
  expect(found!.examples!.rows).toEqual([['/old', '60']]);
});

test('an alert with the message of a worse repeat is shown at the time of that repeat, and no crawler is reported as affected', () => {
  const repeated = {
    ...alert('2026-11-21T09:05:00.000Z', 'critical'),
    details: { at: '2026-11-21T14:30:00.000Z' },
  };
  const fired = alert('2026-11-20T08:00:00.000Z', 'critical');
  const [found] = findAll(reportData({ alerts: { alerts: [repeated, fired] } }));
  expect(found!.examples!.rows).toEqual([
    ['2026-11-21 14:30', 'Traffic fell.'],
    ['2026-11-20 08:00', 'Traffic fell.'],
  ]);
  expect(found!.why).not.toContain('Crawlers met');
});

test.each([
  [crawled({ notFound: 60 }), 'GET /seo/requests?status=404&bot_verified=true'],
  [crawled({ notFound: 60, basis: 'unproved' }), 'GET /seo/requests?status=404'],
  [crawled({ redirected: 150 }), 'GET /seo/requests?filter_type=3xx&bot_verified=true'],
  [crawled({ serverErrors: 6 }), 'GET /seo/requests?filter_type=5xx&bot_verified=true'],
])('the call under a finding counts the same requests: %j', (changes, read) => {
  expect(findAll(reportData(changes))).toMatchObject([{ read }]);
});
