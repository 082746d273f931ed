import type { ReportData } from '../../../services/jobs/report/model/report-data.js';

/** Report data for tests: the input of findings and sections, for a website without problems. */

const DAY = Date.UTC(2026, 10, 22);

/** Changes of the data: objects are merged, lists and values replaced. */
export type Changes = { readonly [name: string]: unknown };

const quiet = {
  domain: 'shop.example',
  window: { start: DAY - 7 * 86_400_000, end: DAY },
  askedAt: DAY + 3_600_000,
  summary: {
    data_since: '2026-01-01T00:00:00.000Z',
    complete_since: '2026-01-01T00:00:00.000Z',
    ...{ total_requests: 10_000, human_requests: 6_000, search_bot_requests: 3_000, ai_bot_requests: 1_000 },
    ...{ status_2xx: 9_900, status_3xx: 100, status_4xx: 0, status_5xx: 0 },
    deltas: {
      ...{
        total_requests_pct: 1,
        human_requests_pct: 1,
        search_bot_requests_pct: 1,
        ai_bot_requests_pct: null,
      },
    },
    previous: { total_requests: 9_900, human_requests: 5_940, ai_bot_requests: 0 },
    rules_versions: [],
  },
  traffic: {
    daily: [
      {
        time: '2026-11-21T00:00:00.000Z',
        ...{ requests: 10_000, search_bot_requests: 3_000, ai_bot_requests: 1_000, other_bot_requests: 0 },
      },
    ],
    totals: { search_bot_requests: 3_000 },
    previous: { search_bot_requests: 2_970 },
    deltas: { search_bot_requests_pct: 1 },
  },
  bots: { totals: { spoofed_requests: 0, bot_requests: 4_000 } },
  access: { bots: [] },
  seo: {
    ...{
      crawler_requests: 3_000,
      verified_requests: 3_000,
      unproved_requests: 0,
      total_crawlers: 2,
      avg_response_time_ms: 80,
      unverified_suspicious: 0,
    },
    ...{ deltas: {}, status_breakdown: [], file_types: [], top_crawlers: [], top_pages: [] },
  },
  crawl: {
    ...{ basis: 'verified', meanMs: 80, unproved: 0, requestsBefore: 2_970 },
    ...{ requests: 3_000, notFound: 0, serverErrors: 0, redirected: 0, withQuery: 0 },
    ...{ templates: [], consistency: { checked: 10, unsteady: 0, worst: [] } },
  },
  crawlBefore: null,
  crawlersMet: { notFoundPaths: [], robotsTxt: { served: 0, failed: 0 } },
  health: { data_flowing: true, last_received_at: '2026-11-22T00:59:00.000Z' },
  alerts: { alerts: [] },
  unjudgedHours: 0,
  checks: {
    evaluated: true,
    checks: [{ verdict: 'pass', flipped_at: null }],
    summary: { pass: 1 },
    not_reached: null,
  },
  llms: {
    ...{ total_ai_requests: 1_000, ai_percentage: 10, unique_pages_crawled: 50, crawlers: [], pages: [] },
    deltas: { total_ai_requests_pct: null, unique_pages_crawled_pct: null },
  },
  aiPages: { basis: 'verified', pages: [] },
  aiFunnel: {
    ...{
      operators: [],
      totals: { referrals: 0, previous: { referrals: 0 }, deltas: { referrals_pct: null } },
    },
    discovery: { sc_connected: false, min_impressions: 50, checked: null, never_fetched: null, pages: null },
  },
  aiLanding: { pages: [], error_pages: [] },
  ...{ budget: null, patterns: null },
  consistency: { crawl_basis: 'verified', summary: { unsteady: 0, total_pages_checked: 10 }, pages: [] },
  robots: {
    ...{
      status: 'found',
      problem: null,
      violations_total: 0,
      violations_complete: true,
      violation_summary: {},
    },
    ...{ rule_groups: [], sitemaps: ['https://shop.example/sitemap.xml'], is_new_version: false },
  },
  sitemap: {
    ...{ available: true, reason: null, crawl_days: 90, urls: [], snapshot: { problems: [] } },
    totals: { all: 1_000, never_crawled: 0, stale: 0, recently_crawled: 1_000, not_in_sitemap: 0 },
  },
  recommendations: { ips_to_block: [], unverified_bots: [], paths_404: [] },
  siteCrawl: {
    ...{ available: true, crawl: { url_count: 1_000, completed_at: '2026-11-20T04:00:00.000Z' } },
    summary: {
      ...{ pages_in_crawl: 1_000, indexable_pages: 900, active: 900, ignored: 0, orphans: 0 },
      ignored_but_claimed: 0,
    },
    ...{ ignored: [], orphans: [], by_depth: [], by_inlinks: [] },
  },
  siteAudit: { available: true, crawl: { url_count: 1_000 }, findings: [] },
  searchResults: { available: false, window: null, totals: null, previous: null },
};

/** Data of a website without problems, except for the changes. */
export function reportData(changes: Changes = {}): ReportData {
  return merged(quiet, changes) as ReportData;
}

function merged(value: unknown, change: unknown): unknown {
  if (!isObject(value) || !isObject(change)) return change;
  const entries = Object.entries(change).map(([name, each]) => [name, merged(value[name], each)]);
  return { ...value, ...Object.fromEntries(entries) };
}

const isObject = (value: unknown): value is Changes =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
