import { canonicalHost } from './addresses/canonical-host.js';
import { certificateDays } from './addresses/certificate-days.js';
import { httpToHttps } from './addresses/http-to-https.js';
import { httpsAnswers } from './addresses/https-answers.js';
import { redirectHops } from './addresses/redirect-hops.js';
import { trailingSlash } from './addresses/trailing-slash.js';
import { crawlParameters } from './answers/crawl-parameters.js';
import { crawlRedirects } from './answers/crawl-redirects.js';
import { crawlerDrop } from './answers/crawler-drop.js';
import { crawlerNotFound } from './answers/crawler-not-found.js';
import { crawlerServerErrors } from './answers/crawler-server-errors.js';
import { homeAnswers } from './answers/home-answers.js';
import { statusConsistencyCheck } from './answers/status-consistency.js';
import { unknownPath } from './answers/unknown-path.js';
import { aiTurnedAway } from './bots/ai-turned-away.js';
import { fakeAiCrawlers } from './bots/fake-ai-crawlers.js';
import { fakeCrawlers } from './bots/fake-crawlers.js';
import { searchTurnedAway } from './bots/search-turned-away.js';
import { undeclaredAgents } from './bots/undeclared-agents.js';
import { unknownBotsCheck } from './bots/unknown-bots.js';
import { robotsAiCrawlers } from './crawling/robots-ai-crawlers.js';
import { robotsAllowsAssets } from './crawling/robots-allows-assets.js';
import { robotsAllowsSearch } from './crawling/robots-allows-search.js';
import { robotsNamesSitemap } from './crawling/robots-names-sitemap.js';
import { robotsObeyed } from './crawling/robots-obeyed.js';
import { robotsReachable } from './crawling/robots-reachable.js';
import { robotsValid } from './crawling/robots-valid.js';
import type { Check } from './facts/check.js';
import { logsFlowing } from './logs/logs-flowing.js';
import { timesLogged } from './logs/times-logged.js';
import { canonicalLink } from './page/canonical-link.js';
import { faviconCheck } from './page/favicon.js';
import { homeIndexable } from './page/home-indexable.js';
import { hreflang } from './page/hreflang.js';
import { lang } from './page/lang.js';
import { llmsTxt } from './page/llms-txt.js';
import { metaDescription } from './page/meta-description.js';
import { mixedContent } from './page/mixed-content.js';
import { pagesIndexable } from './page/pages-indexable.js';
import { structuredData } from './page/structured-data.js';
import { title } from './page/title.js';
import { viewport } from './page/viewport.js';
import { contentSecurityPolicy } from './security/content-security-policy.js';
import { contentTypeOptions } from './security/content-type-options.js';
import { framing } from './security/framing.js';
import { hsts } from './security/hsts.js';
import { referrerPolicy } from './security/referrer-policy.js';
import { sitemapComplete } from './sitemaps/sitemap-complete.js';
import { sitemapCrawled } from './sitemaps/sitemap-crawled.js';
import { sitemapFound } from './sitemaps/sitemap-found.js';
import { sitemapLastmod } from './sitemaps/sitemap-lastmod.js';
import { sitemapUrlsAnswer } from './sitemaps/sitemap-urls-answer.js';
import { sitemapValid } from './sitemaps/sitemap-valid.js';
import { assetCaching } from './speed/asset-caching.js';
import { compression } from './speed/compression.js';
import { conditionalRequests } from './speed/conditional-requests.js';
import { crawlerResponseTime } from './speed/crawler-response-time.js';
import { pageWeight } from './speed/page-weight.js';
import { slowTemplates } from './speed/slow-templates.js';
import { timeToFirstByte } from './speed/time-to-first-byte.js';

/** Every nightly check. */
export const checks: readonly Check[] = [
  robotsReachable,
  robotsValid,
  robotsAllowsSearch,
  robotsAllowsAssets,
  robotsAiCrawlers,
  robotsNamesSitemap,
  robotsObeyed,
  sitemapFound,
  sitemapValid,
  sitemapLastmod,
  sitemapUrlsAnswer,
  sitemapCrawled,
  sitemapComplete,
  httpsAnswers,
  httpToHttps,
  certificateDays,
  canonicalHost,
  redirectHops,
  trailingSlash,
  homeAnswers,
  unknownPath,
  statusConsistencyCheck,
  crawlerServerErrors,
  crawlerNotFound,
  crawlRedirects,
  crawlParameters,
  crawlerDrop,
  searchTurnedAway,
  aiTurnedAway,
  fakeCrawlers,
  fakeAiCrawlers,
  undeclaredAgents,
  unknownBotsCheck,
  crawlerResponseTime,
  slowTemplates,
  timeToFirstByte,
  pageWeight,
  compression,
  conditionalRequests,
  assetCaching,
  homeIndexable,
  pagesIndexable,
  canonicalLink,
  title,
  metaDescription,
  viewport,
  lang,
  hreflang,
  structuredData,
  mixedContent,
  faviconCheck,
  llmsTxt,
  hsts,
  contentSecurityPolicy,
  contentTypeOptions,
  referrerPolicy,
  framing,
  logsFlowing,
  timesLogged,
];
