import type { z } from 'zod';
import type { listWebsites } from '../../operations/account/list-websites.js';
import type { getAiFunnel } from '../../operations/ai/get-ai-funnel.js';
import type { getAiLanding } from '../../operations/ai/get-ai-landing.js';
import type { getLlms } from '../../operations/ai/get-llms.js';
import type { getAlertConfig } from '../../operations/alerts/get-alert-config.js';
import type { listAlerts } from '../../operations/alerts/list-alerts.js';
import type { getGaOverview } from '../../operations/analytics/get-ga-overview.js';
import type { getBilling } from '../../operations/billing/get-billing.js';
import type { getBots } from '../../operations/bots/get-bots.js';
import type { getBotsAccess } from '../../operations/bots/get-bots-access.js';
import type { getUnknownBots } from '../../operations/bots/get-unknown-bots.js';
import type { getChecks } from '../../operations/checks/get-checks.js';
import type { getCrawlAudit } from '../../operations/crawls/get-crawl-audit.js';
import type { getCrawlLinks } from '../../operations/crawls/get-crawl-links.js';
import type { getCrawlReport } from '../../operations/crawls/get-crawl-report.js';
import type { listCrawls } from '../../operations/crawls/list-crawls.js';
import type { listExports } from '../../operations/exports/list-exports.js';
import type { getHealth } from '../../operations/health/get-health.js';
import type { getHealthHistory } from '../../operations/health/get-health-history.js';
import type { getInsights } from '../../operations/insights/get-insights.js';
import type { getRecommendations } from '../../operations/recommendations/get-recommendations.js';
import type { getSnippet } from '../../operations/recommendations/get-snippet.js';
import type { getIpRequests } from '../../operations/requests/get-ip-requests.js';
import type { getLive } from '../../operations/requests/get-live.js';
import type { searchRequests } from '../../operations/requests/search-requests.js';
import type { getSearchPerformance } from '../../operations/search/get-search-performance.js';
import type { getSearchQueries } from '../../operations/search/get-search-queries.js';
import type { getSearchReconcile } from '../../operations/search/get-search-reconcile.js';
import type { getSegmentsBreakdown } from '../../operations/segments/get-segments-breakdown.js';
import type { listSegments } from '../../operations/segments/list-segments.js';
import type { getBudgetUrls } from '../../operations/seo/get-budget-urls.js';
import type { getCrawlerRequests } from '../../operations/seo/get-crawler-requests.js';
import type { getIndexCoverage } from '../../operations/seo/get-index-coverage.js';
import type { getIndexCoverageUrls } from '../../operations/seo/get-index-coverage-urls.js';
import type { getPathExplorer } from '../../operations/seo/get-path-explorer.js';
import type { getRobots } from '../../operations/seo/get-robots.js';
import type { getSeo } from '../../operations/seo/get-seo.js';
import type { getSitemap } from '../../operations/seo/get-sitemap.js';
import type { getStatusConsistency } from '../../operations/seo/get-status-consistency.js';
import type { getUrlHistory } from '../../operations/seo/get-url-history.js';
import type { getUrlPatterns } from '../../operations/seo/get-url-patterns.js';
import type { getSetup } from '../../operations/setup/get-setup.js';
import type { listSiteEvents } from '../../operations/site-events/list-site-events.js';
import type { getDevices } from '../../operations/traffic/get-devices.js';
import type { getGeography } from '../../operations/traffic/get-geography.js';
import type { getHosts } from '../../operations/traffic/get-hosts.js';
import type { getIps } from '../../operations/traffic/get-ips.js';
import type { getPaths } from '../../operations/traffic/get-paths.js';
import type { getReferrers } from '../../operations/traffic/get-referrers.js';
import type { getStatusCodes } from '../../operations/traffic/get-status-codes.js';
import type { getSummary } from '../../operations/traffic/get-summary.js';
import type { getTraffic } from '../../operations/traffic/get-traffic.js';
import type { getPageImportance } from '../../operations/urls/get-page-importance.js';
import type { getUrl } from '../../operations/urls/get-url.js';
import type { searchUrls } from '../../operations/urls/search-urls.js';

/** Reads of one website by the id of their operation, with their paths below /public/v1/websites/{website_id}. */
export const websitePaths = {
  getAiFunnel: '/ai-funnel',
  getAiLanding: '/ai-landing',
  getAlertConfig: '/alerts/config',
  getBots: '/bots',
  getBotsAccess: '/bots/access',
  getBudgetUrls: '/seo/budget-urls',
  getChecks: '/checks',
  getCrawlAudit: '/crawl-audit',
  getCrawlLinks: '/crawl-links',
  getCrawlReport: '/crawl-report',
  getCrawlerRequests: '/seo/requests',
  getDevices: '/devices',
  getGaOverview: '/ga/overview',
  getGeography: '/geography',
  getHealth: '/health',
  getHealthHistory: '/health/history',
  getHosts: '/hosts',
  getIndexCoverage: '/seo/index-coverage',
  getIndexCoverageUrls: '/seo/index-coverage/urls',
  getInsights: '/insights',
  getIpRequests: '/ips/{ip_address}/requests',
  getIps: '/ips',
  getLive: '/live',
  getLlms: '/llms',
  getPageImportance: '/page-importance',
  getPathExplorer: '/seo/path-explorer',
  getPaths: '/paths',
  getRecommendationSnippet: '/recommendations/snippet',
  getRecommendations: '/recommendations',
  getReferrers: '/referrers',
  getRobots: '/seo/robots',
  getSearchPerformance: '/search/performance',
  getSearchQueries: '/search/queries',
  getSearchReconcile: '/search/reconcile',
  getSegmentsBreakdown: '/segments-breakdown',
  getSeo: '/seo',
  getSetup: '/setup',
  getSitemap: '/seo/sitemap',
  getStatusCodes: '/status-codes',
  getStatusConsistency: '/seo/status-consistency',
  getSummary: '/summary',
  getTraffic: '/traffic',
  getUnknownBots: '/bots/unknown',
  getUrl: '/url',
  getUrlHistory: '/seo/sitemap/url-history',
  getUrlPatterns: '/seo/url-patterns',
  listAlerts: '/alerts',
  listCrawls: '/crawls',
  listExports: '/exports',
  listSegments: '/segments',
  listSiteEvents: '/site-events',
  searchRequests: '/requests',
  searchUrls: '/urls/search',
} as const;

/** Reads of the organisation, with their paths below /public/v1. */
export const accountPaths = { getBilling: '/billing', listWebsites: '/websites' } as const;

export type ReadId = keyof typeof websitePaths | keyof typeof accountPaths;

interface Operations {
  getAiFunnel: typeof getAiFunnel;
  getAiLanding: typeof getAiLanding;
  getAlertConfig: typeof getAlertConfig;
  getBilling: typeof getBilling;
  getBots: typeof getBots;
  getBotsAccess: typeof getBotsAccess;
  getBudgetUrls: typeof getBudgetUrls;
  getChecks: typeof getChecks;
  getCrawlAudit: typeof getCrawlAudit;
  getCrawlLinks: typeof getCrawlLinks;
  getCrawlReport: typeof getCrawlReport;
  getCrawlerRequests: typeof getCrawlerRequests;
  getDevices: typeof getDevices;
  getGaOverview: typeof getGaOverview;
  getGeography: typeof getGeography;
  getHealth: typeof getHealth;
  getHealthHistory: typeof getHealthHistory;
  getHosts: typeof getHosts;
  getIndexCoverage: typeof getIndexCoverage;
  getIndexCoverageUrls: typeof getIndexCoverageUrls;
  getInsights: typeof getInsights;
  getIpRequests: typeof getIpRequests;
  getIps: typeof getIps;
  getLive: typeof getLive;
  getLlms: typeof getLlms;
  getPageImportance: typeof getPageImportance;
  getPathExplorer: typeof getPathExplorer;
  getPaths: typeof getPaths;
  getRecommendationSnippet: typeof getSnippet;
  getRecommendations: typeof getRecommendations;
  getReferrers: typeof getReferrers;
  getRobots: typeof getRobots;
  getSearchPerformance: typeof getSearchPerformance;
  getSearchQueries: typeof getSearchQueries;
  getSearchReconcile: typeof getSearchReconcile;
  getSegmentsBreakdown: typeof getSegmentsBreakdown;
  getSeo: typeof getSeo;
  getSetup: typeof getSetup;
  getSitemap: typeof getSitemap;
  getStatusCodes: typeof getStatusCodes;
  getStatusConsistency: typeof getStatusConsistency;
  getSummary: typeof getSummary;
  getTraffic: typeof getTraffic;
  getUnknownBots: typeof getUnknownBots;
  getUrl: typeof getUrl;
  getUrlHistory: typeof getUrlHistory;
  getUrlPatterns: typeof getUrlPatterns;
  listAlerts: typeof listAlerts;
  listCrawls: typeof listCrawls;
  listExports: typeof listExports;
  listSegments: typeof listSegments;
  listSiteEvents: typeof listSiteEvents;
  listWebsites: typeof listWebsites;
  searchRequests: typeof searchRequests;
  searchUrls: typeof searchUrls;
}

/** Parts that are null for reasons of their own, not only while the server still counts. */
type MayLack = 'window' | 'previous' | 'deltas';

/** Lists and objects are null only while `data_buffering` is true, and `useRead` never shows such an answer. */
type Counted<Body> = {
  [Name in keyof Body]-?: Name extends MayLack
    ? Body[Name]
    : NonNullable<Body[Name]> extends object
      ? NonNullable<Body[Name]>
      : Body[Name];
};

/** The answer of a read, from its operation's schema: a changed answer fails the check of types. */
export type Answer<Id extends ReadId> = Counted<z.output<Operations[Id]['answer']>>;
