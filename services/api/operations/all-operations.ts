import type { Operation } from '../operation/operation.js';
import { createWebsite } from './account/create-website.js';
import { listWebsites } from './account/list-websites.js';
import { getAiFunnel } from './ai/get-ai-funnel.js';
import { getAiLanding } from './ai/get-ai-landing.js';
import { getLlms } from './ai/get-llms.js';
import { acknowledgeAlert } from './alerts/acknowledge-alert.js';
import { getAlertConfig } from './alerts/get-alert-config.js';
import { listAlerts } from './alerts/list-alerts.js';
import { getGaOverview } from './analytics/get-ga-overview.js';
import { getGaPages } from './analytics/get-ga-pages.js';
import { getBilling } from './billing/get-billing.js';
import { startCheckout } from './billing/start-checkout.js';
import { startTrial } from './billing/start-trial.js';
import { endBotSuppression } from './bots/end-bot-suppression.js';
import { getBots } from './bots/get-bots.js';
import { getBotsAccess } from './bots/get-bots-access.js';
import { getUnknownBots } from './bots/get-unknown-bots.js';
import { suppressBot } from './bots/suppress-bot.js';
import { getChecks } from './checks/get-checks.js';
import { getChecksHistory } from './checks/get-checks-history.js';
import { cancelCrawl } from './crawls/cancel-crawl.js';
import { getCrawlAudit } from './crawls/get-crawl-audit.js';
import { getCrawlLinks } from './crawls/get-crawl-links.js';
import { getCrawlReport } from './crawls/get-crawl-report.js';
import { listCrawls } from './crawls/list-crawls.js';
import { runCrawl } from './crawls/run-crawl.js';
import { createExport } from './exports/create-export.js';
import { createReport } from './exports/create-report.js';
import { downloadExport } from './exports/download-export.js';
import { listExports } from './exports/list-exports.js';
import { getHealth } from './health/get-health.js';
import { getHealthHistory } from './health/get-health-history.js';
import { getInsights } from './insights/get-insights.js';
import {
  getNotFoundPaths,
  getSlowPaths,
  getUnverifiedBots,
} from './recommendations/get-recommendation-details.js';
import { getRecommendations } from './recommendations/get-recommendations.js';
import { getSnippet } from './recommendations/get-snippet.js';
import { reopenRecommendation } from './recommendations/reopen-recommendation.js';
import { resolveRecommendation } from './recommendations/resolve-recommendation.js';
import { getIpRequests } from './requests/get-ip-requests.js';
import { getLive } from './requests/get-live.js';
import { searchRequests } from './requests/search-requests.js';
import { getSearchPerformance } from './search/get-search-performance.js';
import { getSearchQueries } from './search/get-search-queries.js';
import { getSearchReconcile } from './search/get-search-reconcile.js';
import { addSegmentLibrary } from './segments/add-segment-library.js';
import { createSegment } from './segments/create-segment.js';
import { deleteSegment } from './segments/delete-segment.js';
import { getSegmentsBreakdown } from './segments/get-segments-breakdown.js';
import { listSegments } from './segments/list-segments.js';
import { patchSegment, replaceSegment } from './segments/replace-segment.js';
import { getBudgetUrls } from './seo/get-budget-urls.js';
import { getCrawlerRequests } from './seo/get-crawler-requests.js';
import { getIndexCoverage } from './seo/get-index-coverage.js';
import { getIndexCoverageUrls } from './seo/get-index-coverage-urls.js';
import { getPathExplorer } from './seo/get-path-explorer.js';
import { getRobots } from './seo/get-robots.js';
import { getSeo } from './seo/get-seo.js';
import { getSitemap } from './seo/get-sitemap.js';
import { getStatusConsistency } from './seo/get-status-consistency.js';
import { getUrlHistory } from './seo/get-url-history.js';
import { getUrlPatterns } from './seo/get-url-patterns.js';
import { getSetup } from './setup/get-setup.js';
import { createSiteEvent } from './site-events/create-site-event.js';
import { deleteSiteEvent } from './site-events/delete-site-event.js';
import { listSiteEvents } from './site-events/list-site-events.js';
import { getDevices } from './traffic/get-devices.js';
import { getGeography } from './traffic/get-geography.js';
import { getHosts } from './traffic/get-hosts.js';
import { getIps } from './traffic/get-ips.js';
import { getPaths } from './traffic/get-paths.js';
import { getReferrers } from './traffic/get-referrers.js';
import { getStatusCodes } from './traffic/get-status-codes.js';
import { getSummary } from './traffic/get-summary.js';
import { getTraffic } from './traffic/get-traffic.js';
import { getPageImportance } from './urls/get-page-importance.js';
import { getUrl } from './urls/get-url.js';
import { searchUrls } from './urls/search-urls.js';

/** All operations, in the order of the specification. Routes, the OpenAPI document and contract tests are made from this list. */
export const operations: readonly Operation[] = [
  // spec §4.1
  getBilling,
  startTrial,
  startCheckout,
  listWebsites,
  createWebsite,
  // spec §4.2
  getSetup,
  getSummary,
  getTraffic,
  getBots,
  getBotsAccess,
  getUnknownBots,
  getPaths,
  getGeography,
  getStatusCodes,
  getIps,
  getReferrers,
  getDevices,
  getHosts,
  getIpRequests,
  getLive,
  searchRequests,
  // spec §4.3
  getSeo,
  getBudgetUrls,
  getUrlPatterns,
  getPathExplorer,
  getStatusConsistency,
  getCrawlerRequests,
  getRobots,
  getSitemap,
  getUrlHistory,
  getIndexCoverage,
  getIndexCoverageUrls,
  // spec §4.4
  getLlms,
  getAiFunnel,
  getAiLanding,
  // spec §4.5
  getSearchPerformance,
  getSearchQueries,
  getSearchReconcile,
  // spec §4.6
  listCrawls,
  runCrawl,
  cancelCrawl,
  getCrawlReport,
  getCrawlAudit,
  getCrawlLinks,
  getGaOverview,
  getGaPages,
  // spec §4.7
  listSegments,
  createSegment,
  replaceSegment,
  patchSegment,
  deleteSegment,
  addSegmentLibrary,
  // spec §4.8
  listAlerts,
  getAlertConfig,
  acknowledgeAlert,
  suppressBot,
  endBotSuppression,
  listSiteEvents,
  createSiteEvent,
  deleteSiteEvent,
  getRecommendations,
  getNotFoundPaths,
  getSlowPaths,
  getUnverifiedBots,
  resolveRecommendation,
  reopenRecommendation,
  getSnippet,
  getSegmentsBreakdown,
  // spec §4.9
  getInsights,
  getHealth,
  getHealthHistory,
  getChecks,
  getChecksHistory,
  getPageImportance,
  getUrl,
  searchUrls,
  listExports,
  createExport,
  createReport,
  downloadExport,
];
