import type { aiFunnel } from '../../../../shared/reads/ai/ai-funnel.js';
import type { aiLanding } from '../../../../shared/reads/ai/ai-landing.js';
import type { llms } from '../../../../shared/reads/ai/llms.js';
import type { alerts } from '../../../../shared/reads/alerts/alerts.js';
import type { botsAccess } from '../../../../shared/reads/bots/bot-access.js';
import type { bots } from '../../../../shared/reads/bots/bots.js';
import type { CrawlBasis } from '../../../../shared/reads/bots/crawl-basis-sql.js';
import type { checks } from '../../../../shared/reads/checks/checks.js';
import type { crawlAudit } from '../../../../shared/reads/crawls/crawl-audit.js';
import type { crawlReport } from '../../../../shared/reads/crawls/crawl-report.js';
import type { health } from '../../../../shared/reads/health/health.js';
import type { recommendations } from '../../../../shared/reads/recommendations/recommendations.js';
import type { robots } from '../../../../shared/reads/robots/robots.js';
import type { searchPerformance } from '../../../../shared/reads/search/search-performance.js';
import type { budgetUrls } from '../../../../shared/reads/seo/budget-urls.js';
import type { seo } from '../../../../shared/reads/seo/seo.js';
import type { statusConsistency } from '../../../../shared/reads/seo/status-consistency.js';
import type { sitemapCoverage } from '../../../../shared/reads/sitemaps/sitemap-coverage.js';
import type { Window } from '../../../../shared/reads/sql/scope.js';
import type { summary } from '../../../../shared/reads/traffic/summary.js';
import type { traffic } from '../../../../shared/reads/traffic/traffic.js';
import type { urlPatterns } from '../../../../shared/reads/url-patterns/url-patterns.js';
import type { CrawlHealth } from '../../crawls/health/crawl-health.js';
import type { CrawlersMet } from './crawlers-met.js';

type Told<Of extends { read(...args: never[]): Promise<unknown> }> = Awaited<ReturnType<Of['read']>>;

/** The newest alerts of the period that are read. */
export const MOST_ALERTS = 500;

/** The data of a report, from the API's reads. */
export interface ReportData {
  readonly domain: string;
  readonly window: Window;
  /** When the report was requested, milliseconds since the epoch. Current states are those of this time. */
  readonly askedAt: number;
  readonly summary: Told<typeof summary>;
  readonly traffic: Told<typeof traffic>;
  readonly bots: Told<typeof bots>;
  readonly access: Told<typeof botsAccess>;
  readonly seo: Told<typeof seo>;
  readonly crawl: CrawlHealth;
  /** The same for the period before; null: the logs do not cover it, or it counts other requests (`basis`). */
  readonly crawlBefore: CrawlHealth | null;
  readonly crawlersMet: CrawlersMet;
  readonly health: Told<typeof health>;
  /** The newest {@link MOST_ALERTS} of the period. */
  readonly alerts: Told<typeof alerts>;
  /** Hours of the period whose logs the detector has not evaluated. */
  readonly unjudgedHours: number;
  readonly checks: Told<typeof checks>;
  readonly llms: Told<typeof llms>;
  /** The pages that AI crawlers requested most, by the counted requests. */
  readonly aiPages: { readonly basis: CrawlBasis; readonly pages: Told<typeof llms>['pages'] };
  readonly aiFunnel: Told<typeof aiFunnel>;
  readonly aiLanding: Told<typeof aiLanding>;
  /** null, here and below: too large for one read, and the report says so. */
  readonly budget: Told<typeof budgetUrls> | null;
  readonly patterns: Told<typeof urlPatterns> | null;
  readonly consistency: Told<typeof statusConsistency> | null;
  readonly robots: Told<typeof robots> | null;
  readonly sitemap: Told<typeof sitemapCoverage> | null;
  readonly recommendations: Told<typeof recommendations> | null;
  /** The latest crawl of the site; not `available`: none is ready. */
  readonly siteCrawl: Told<typeof crawlReport> | null;
  readonly siteAudit: Told<typeof crawlAudit> | null;
  /** As many days as the period has, up to the last day with data of the source. */
  readonly searchResults: Told<typeof searchPerformance> | null;
}
