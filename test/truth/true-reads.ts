import type { WebsiteRead } from '../../services/api/operation/operation.js';
import { getAiFunnel } from '../../services/api/operations/ai/get-ai-funnel.js';
import { getAiLanding } from '../../services/api/operations/ai/get-ai-landing.js';
import { getLlms } from '../../services/api/operations/ai/get-llms.js';
import { getBots } from '../../services/api/operations/bots/get-bots.js';
import { getBotsAccess } from '../../services/api/operations/bots/get-bots-access.js';
import { getUnknownBots } from '../../services/api/operations/bots/get-unknown-bots.js';
import { getNotFoundPaths } from '../../services/api/operations/recommendations/get-recommendation-details.js';
import { getBudgetUrls } from '../../services/api/operations/seo/get-budget-urls.js';
import { getCrawlerRequests } from '../../services/api/operations/seo/get-crawler-requests.js';
import { getPathExplorer } from '../../services/api/operations/seo/get-path-explorer.js';
import { getSeo } from '../../services/api/operations/seo/get-seo.js';
import { getStatusConsistency } from '../../services/api/operations/seo/get-status-consistency.js';
import { getUrlHistory } from '../../services/api/operations/seo/get-url-history.js';
import { getUrlPatterns } from '../../services/api/operations/seo/get-url-patterns.js';
import { getDevices } from '../../services/api/operations/traffic/get-devices.js';
import { getGeography } from '../../services/api/operations/traffic/get-geography.js';
import { getHosts } from '../../services/api/operations/traffic/get-hosts.js';
import { getIps } from '../../services/api/operations/traffic/get-ips.js';
import { getPaths } from '../../services/api/operations/traffic/get-paths.js';
import { getReferrers } from '../../services/api/operations/traffic/get-referrers.js';
import { getStatusCodes } from '../../services/api/operations/traffic/get-status-codes.js';
import { getSummary } from '../../services/api/operations/traffic/get-summary.js';
import { getTraffic } from '../../services/api/operations/traffic/get-traffic.js';
import type { Truth } from './counting.js';
import * as aiAnswers from './expected-ai.js';
import * as botAnswers from './expected-bots.js';
import * as crawlerAnswers from './expected-crawlers.js';
import * as crawlAnswers from './expected-crawls.js';
import { notFoundPaths } from './expected-recommendations.js';
import * as trafficAnswers from './expected-traffic.js';
import * as visitorAnswers from './expected-visitors.js';

/** A windowed read, and its answer counted one by one. */
export interface TrueRead {
  readonly name: string;
  readonly operation: WebsiteRead;
  /** In addition to the window. */
  readonly parameters: Record<string, string>;
  readonly expected: (truth: Truth) => object;
}

const LIMIT = 150;

export function read(
  name: string,
  operation: unknown,
  expected: TrueRead['expected'],
  parameters: Record<string, string> = {},
): TrueRead {
  return {
    name,
    operation: operation as WebsiteRead,
    parameters,
    expected: (truth) => ({ ...expected(truth), data_buffering: false }),
  };
}

/** Reads with segments (spec §2.1). No read is buffering here. */
export const segmentReads: readonly TrueRead[] = [
  read('summary', getSummary, trafficAnswers.summary),
  read('traffic', getTraffic, trafficAnswers.traffic),
  read('status-codes', getStatusCodes, trafficAnswers.statusCodes),
  read('bots', getBots, (truth) => botAnswers.bots(truth, false)),
  read('bots by variant', getBots, (truth) => botAnswers.bots(truth, true), { split_variants: 'yes' }),
  read('bots/access', getBotsAccess, botAnswers.botsAccess),
  read('paths', getPaths, (truth) => trafficAnswers.paths(truth, LIMIT), { limit: `${LIMIT}` }),
  read('referrers', getReferrers, (truth) => visitorAnswers.referrers(truth, 4), { limit: '4' }),
  read('devices', getDevices, visitorAnswers.devices),
  read('llms', getLlms, (truth) => aiAnswers.llms(truth, LIMIT), { limit: `${LIMIT}` }),
  read('ai-funnel', getAiFunnel, aiAnswers.aiFunnel),
  read('ai-landing', getAiLanding, (truth) => aiAnswers.aiLanding(truth, LIMIT), { limit: `${LIMIT}` }),
  read('ai-landing of one operator', getAiLanding, (truth) => aiAnswers.aiLanding(truth, 4, 'OpenAI'), {
    limit: '4',
    operator: 'openai',
  }),
];

/** Reads that ignore segments. */
export const unsegmentedReads: readonly TrueRead[] = [
  read('geography', getGeography, visitorAnswers.geography),
  read('hosts', getHosts, (truth) => trafficAnswers.hosts(truth, 3), { limit: '3' }),
  read('bots/unknown', getUnknownBots, (truth) => botAnswers.unknownBots(truth, 3), { limit: '3' }),
  read('ips', getIps, (truth) => visitorAnswers.ips(truth, LIMIT), { limit: `${LIMIT}` }),
  read('recommendations/paths-404', getNotFoundPaths, notFoundPaths),
  read(
    'seo/sitemap/url-history',
    getUrlHistory,
    (truth) => crawlAnswers.urlHistory(truth, { path: '/shop', bot: null, page: 1, pageSize: 50 }),
    { url_path: '/shop' },
  ),
  read(
    'seo/sitemap/url-history of one crawler',
    getUrlHistory,
    (truth) => crawlAnswers.urlHistory(truth, { path: '/', bot: 'openai', page: 2, pageSize: 3 }),
    { url_path: '/', bot: 'OpenAI', page: '2', page_size: '3' },
  ),
  read(
    'seo/sitemap/url-history of one query string',
    getUrlHistory,
    (truth) =>
      crawlAnswers.urlHistory(truth, {
        ...{ path: '/', query: 'page=0&sort=price', bot: null },
        ...{ page: 1, pageSize: 50 },
      }),
    { url_path: '/?page=%30&sort=price' },
  ),
];

const second = { page: 2, size: 7 };
const pages = { page: '2', page_size: '7' };

/** Reads of the seo family, which ignore segments. */
export const crawlerReads: readonly TrueRead[] = [
  read('seo', getSeo, (truth) => crawlerAnswers.seo(truth, {})),
  read('seo of an AI crawler', getSeo, (truth) => crawlerAnswers.seo(truth, { bot: 'gptBOT' }), {
    bot: 'gptBOT',
  }),
  read(
    'seo/budget-urls',
    getBudgetUrls,
    (truth) => crawlerAnswers.budgetUrls(truth, {}, '/', { page: 1, size: 50 }),
    {},
  ),
  read(
    'seo/budget-urls of a family below a directory, on the second page',
    getBudgetUrls,
    (truth) => crawlerAnswers.budgetUrls(truth, { bot: 'google', withParams: true }, '/shop/', second),
    { bot: 'google', params_filter: 'with_params', directory: '/shop', ...pages },
  ),
  read('seo/url-patterns', getUrlPatterns, (truth) => crawlerAnswers.urlPatterns(truth, {}, 3)),
  read(
    'seo/url-patterns of a family',
    getUrlPatterns,
    (truth) => crawlerAnswers.urlPatterns(truth, { bot: 'OpenAI', withParams: false }, 1),
    { bot: 'OpenAI', params_filter: 'no_params', min_urls: '1' },
  ),
  read('seo/path-explorer', getPathExplorer, (truth) => crawlerAnswers.pathExplorer(truth, {}, 20), {
    limit: '20',
  }),
  read(
    'seo/path-explorer of a family',
    getPathExplorer,
    (truth) => crawlerAnswers.pathExplorer(truth, { bot: 'google', withParams: true }, 100),
    { bot: 'google', params_filter: 'with_params' },
  ),
  read('seo/status-consistency', getStatusConsistency, (truth) =>
    crawlerAnswers.statusConsistency(truth, {}, 3, 100),
  ),
  read(
    'seo/status-consistency of one crawler',
    getStatusConsistency,
    (truth) => crawlerAnswers.statusConsistency(truth, { bot: 'bingbot' }, 1, 30),
    { bot: 'bingbot', min_requests: '1', limit: '30' },
  ),
  ...['all', 'verified', 'unverified', '5xx', 'slowest'].map((filter_type) =>
    read(
      `seo/requests, ${filter_type}`,
      getCrawlerRequests,
      (truth) => crawlAnswers.crawlerRequests(truth, {}, filter_type, second),
      { filter_type, ...pages },
    ),
  ),
  read(
    'seo/requests of one crawler',
    getCrawlerRequests,
    (truth) => crawlAnswers.crawlerRequests(truth, { bot: 'chatgpt-user' }, 'all', { page: 1, size: 50 }),
    { bot: 'chatgpt-user' },
  ),
];

export const windows: Readonly<Record<string, Record<string, string>>> = {
  'the last hour': { hours: '1' },
  'the last 24 hours': { hours: '24' },
  'part of one hour': { start: '2026-11-03T10:05:00Z', end: '2026-11-03T10:55:00.500Z' },
  'a week of whole days over the end of a month': { start: '2026-10-28', end: '2026-11-03' },
  'cut days far apart': { start: '2026-10-02T23:59:59.999Z', end: '2026-11-02T12:00:00.001Z' },
};
