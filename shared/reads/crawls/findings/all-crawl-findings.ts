import { brokenLinks } from './broken-links.js';
import { canonicalIssues } from './canonical-issues.js';
import { duplicateDescriptions } from './duplicate-descriptions.js';
import { duplicateTitles } from './duplicate-titles.js';
import type { CrawlFinding } from './finding.js';
import { hreflangIssues } from './hreflang-issues.js';
import { largePages } from './large-pages.js';
import { linksToRedirects } from './links-to-redirects.js';
import { longTitles } from './long-titles.js';
import { missingDescriptions } from './missing-descriptions.js';
import { missingH1 } from './missing-h1.js';
import { missingTitles } from './missing-titles.js';
import { multipleH1 } from './multiple-h1.js';
import { noindexPages } from './noindex-pages.js';
import { redirectChains } from './redirect-chains.js';
import { robotsBlocked } from './robots-blocked.js';
import { sitemapIssues } from './sitemap-issues.js';
import { slowPages } from './slow-pages.js';
import { thinPages } from './thin-pages.js';

/** All findings of the audit. */
export const crawlFindings: readonly CrawlFinding[] = [
  brokenLinks,
  canonicalIssues,
  missingTitles,
  redirectChains,
  robotsBlocked,
  duplicateTitles,
  hreflangIssues,
  thinPages,
  slowPages,
  sitemapIssues,
  linksToRedirects,
  noindexPages,
  duplicateDescriptions,
  missingDescriptions,
  longTitles,
  missingH1,
  multipleH1,
  largePages,
];
