import type { z } from 'zod';
import type { Answer } from '../answer.js';
import { ToolRefusal } from '../tool-refusal.js';
import { answerView, type View } from './answer-view.js';
import type { inputs, seoViews } from './catalogue.js';
import type { ToolContext } from './tool.js';

type Args = z.output<(typeof inputs)['seo_health']>;
type Name = (typeof seoViews)[number];

const statuses = ['status_2xx', 'status_3xx', 'status_4xx', 'status_5xx'];

const views: Readonly<Record<Name, View>> = {
  summary: {
    operation: 'getSeo',
    list: 'top_crawlers',
    columns: [
      'bot_name',
      'bot_family',
      'requests',
      'share_pct',
      'verified_requests',
      'unproved_requests',
      'unverified_suspicious',
      ...statuses,
      'avg_response_time_ms',
      'last_seen',
    ],
    console: { screen: 'search' },
  },
  crawl_budget: {
    operation: 'getBudgetUrls',
    list: 'urls',
    columns: ['path', 'requests', 'verified_requests', 'percentage', 'daily_avg'],
    console: { screen: 'search' },
  },
  url_patterns: {
    operation: 'getUrlPatterns',
    list: 'patterns',
    columns: [
      'pattern',
      'total_requests',
      'unique_urls',
      'pct_of_crawl',
      ...statuses,
      'pattern_type',
      'flags',
      'example_url',
    ],
    console: { screen: 'search', rest: { tab: 'patterns' } },
  },
  status_consistency: {
    operation: 'getStatusConsistency',
    list: 'pages',
    columns: [
      'path',
      'total_requests',
      'statuses',
      'consistency_pct',
      'non_2xx_pct',
      'impact_score',
      'last_non_2xx',
    ],
    mostRows: 1000,
    console: { screen: 'search', rest: { tab: 'consistency' } },
  },
  robots: {
    operation: 'getRobots',
    list: 'violations',
    columns: ['bot_name', 'path', 'requests', 'rule', 'last_seen'],
    notes: [
      'Rows are fetches of paths that robots.txt forbids. getRobots by call_operation has the file itself.',
    ],
    console: { screen: 'access', rest: { tab: 'robots' } },
  },
  sitemap: {
    operation: 'getSitemap',
    list: 'urls',
    columns: [
      'path',
      'status',
      'in_sitemap',
      'last_crawl_date',
      'last_crawled_by',
      'crawl_count',
      'response_code',
      'lastmod',
    ],
    coverage: ['snapshot'],
    notes: ['A snapshot. getSitemap by call_operation filters by status, e.g. never_crawled.'],
    console: { screen: 'access', rest: { tab: 'sitemaps' } },
  },
  index_coverage: {
    operation: 'getIndexCoverage',
    list: 'directories',
    columns: [
      'directory',
      'crawled_indexed',
      'crawled_not_indexed',
      'not_crawled_indexed',
      'not_crawled_not_indexed',
      'pending_inspection',
    ],
    coverage: ['buckets', 'data_freshness'],
    parameters: { dir_page_size: 100 },
    notes: ['With directory, the rows are its URLs.'],
    console: { screen: 'queries', rest: { tab: 'coverage' } },
  },
  search_performance: {
    operation: 'getSearchPerformance',
    list: 'top_queries',
    columns: ['query', 'impressions', 'clicks', 'ctr', 'position'],
    coverage: ['previous'],
    notes: ['getSearchPerformance by call_operation also has the series and the top pages.'],
    console: { screen: 'queries', rest: { tab: 'performance' } },
  },
  crawl_findings: {
    operation: 'getCrawlAudit',
    list: 'findings',
    columns: ['key', 'severity', 'count', 'bot_hits', 'rule', 'rows'],
    parameters: { limit: 3 },
    coverage: ['crawl'],
    notes: ['The last column has up to three examples.'],
    console: { screen: 'crawl', rest: { tab: 'findings' } },
  },
  importance: {
    operation: 'getPageImportance',
    list: 'pages',
    columns: ['path', 'crawls', 'score'],
    mostRows: 50_000,
    console: { screen: 'search', rest: { tab: 'importance' } },
  },
  checks: {
    operation: 'getChecks',
    list: 'checks',
    columns: ['id', 'title', 'category', 'verdict', 'weight', 'evidence.note', 'updated_at'],
    notes: ['The order is fail, warn, unknown, pass. unknown is no pass.'],
    console: { screen: '' },
  },
};

/** Views whose operation takes one crawler, under this name. */
const crawlerParameter: Readonly<Partial<Record<Name, 'bot'>>> = {
  summary: 'bot',
  crawl_budget: 'bot',
  url_patterns: 'bot',
  status_consistency: 'bot',
  robots: 'bot',
  importance: 'bot',
};

const takesDirectory: readonly Name[] = ['crawl_budget', 'index_coverage'];

const coverageUrls: View = {
  operation: 'getIndexCoverageUrls',
  list: 'urls',
  columns: [
    'url_path',
    'bucket',
    'crawl_count',
    'last_crawled_at',
    'index_status',
    'index_status_reason',
    'impressions_28d',
    'clicks_28d',
    'avg_position',
  ],
  console: { screen: 'queries', rest: { tab: 'coverage' } },
};

/** @throws ToolRefusal for an argument without effect: the figures would be of all crawlers, or of all pages. */
export async function seoHealth(args: Args, context: ToolContext): Promise<Answer> {
  const { view: name, crawler, directory } = args;
  const parameter = crawlerParameter[name];
  if (crawler !== undefined && parameter === undefined)
    throw new ToolRefusal(
      `crawler: the view ${name} has none; ${Object.keys(crawlerParameter).join(', ')} have.`,
    );
  if (directory !== undefined && !takesDirectory.includes(name))
    throw new ToolRefusal(`directory: the view ${name} has none; ${takesDirectory.join(' and ')} have.`);
  const view = name === 'index_coverage' && directory !== undefined ? coverageUrls : views[name];
  const parameters = {
    ...view.parameters,
    ...(parameter !== undefined && crawler !== undefined && { [parameter]: crawler }),
    ...(directory !== undefined && { directory }),
  };
  return answerView({ ...view, parameters }, args, context);
}
