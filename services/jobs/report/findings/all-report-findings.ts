import type { Find, Finding } from '../model/finding.js';
import type { ReportData } from '../model/report-data.js';
import { addressesToBlock } from './addresses-to-block.js';
import { aiErrors } from './ai-errors.js';
import { aiTurnedAway } from './ai-turned-away.js';
import { crawlDrop } from './crawl-drop.js';
import { failedChecks } from './failed-checks.js';
import { fakeCrawlers } from './fake-crawlers.js';
import { ignoredPages } from './ignored-pages.js';
import { logsStopped } from './logs-stopped.js';
import { neverCrawled } from './never-crawled.js';
import { notFound } from './not-found.js';
import { orphanPages } from './orphan-pages.js';
import { parameters } from './parameters.js';
import { redirects } from './redirects.js';
import { robotsDisobeyed } from './robots-disobeyed.js';
import { robotsUnavailable } from './robots-unavailable.js';
import { searchTurnedAway } from './search-turned-away.js';
import { seriousAlerts } from './serious-alerts.js';
import { serverErrors } from './server-errors.js';
import { siteFaults } from './site-faults.js';
import { sitemapUnread } from './sitemap-unread.js';
import { slowPages } from './slow-pages.js';
import { stalePages } from './stale-pages.js';
import { unlistedPages } from './unlisted-pages.js';
import { unprovedCrawlers } from './unproved-crawlers.js';
import { unreadByAi } from './unread-by-ai.js';
import { unsteadyPages } from './unsteady-pages.js';

/** Two findings with the same impact stay in this order. */
const finds: readonly Find[] = [
  logsStopped,
  searchTurnedAway,
  robotsUnavailable,
  serverErrors,
  crawlDrop,
  siteFaults,
  unsteadyPages,
  notFound,
  neverCrawled,
  ignoredPages,
  slowPages,
  failedChecks,
  seriousAlerts,
  sitemapUnread,
  redirects,
  parameters,
  stalePages,
  unlistedPages,
  orphanPages,
  unreadByAi,
  unprovedCrawlers,
  aiTurnedAway,
  aiErrors,
  fakeCrawlers,
  robotsDisobeyed,
  addressesToBlock,
];

/** All findings, the highest impact first. Pure. */
export function findAll(data: ReportData): Finding[] {
  return finds.flatMap((find) => find(data) ?? []).sort((one, other) => other.impact - one.impact);
}
