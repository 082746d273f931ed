import type { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { aiFunnel } from '../../../shared/reads/ai/ai-funnel.js';
import { type AiLandingInput, aiLanding } from '../../../shared/reads/ai/ai-landing.js';
import { llms } from '../../../shared/reads/ai/llms.js';
import { alerts } from '../../../shared/reads/alerts/alerts.js';
import type { Answer } from '../../../shared/reads/answer/answer.js';
import { botsAccess } from '../../../shared/reads/bots/bot-access.js';
import { bots } from '../../../shared/reads/bots/bots.js';
import { readCrawlBases } from '../../../shared/reads/bots/counted-crawlers.js';
import { checks } from '../../../shared/reads/checks/checks.js';
import { crawlAudit } from '../../../shared/reads/crawls/crawl-audit.js';
import { crawlReport } from '../../../shared/reads/crawls/crawl-report.js';
import type { ReadCrawl } from '../../../shared/reads/crawls/read-crawl.js';
import { health } from '../../../shared/reads/health/health.js';
import type { RecommendationInput } from '../../../shared/reads/recommendations/recommendation-input.js';
import { recommendations } from '../../../shared/reads/recommendations/recommendations.js';
import { robots } from '../../../shared/reads/robots/robots.js';
import type { SearchConnection } from '../../../shared/reads/search/search-connection.js';
import { searchPerformance } from '../../../shared/reads/search/search-performance.js';
import { budgetUrls } from '../../../shared/reads/seo/budget-urls.js';
import { seo } from '../../../shared/reads/seo/seo.js';
import { statusConsistency } from '../../../shared/reads/seo/status-consistency.js';
import { sitemapCoverage } from '../../../shared/reads/sitemaps/sitemap-coverage.js';
import { previousWindow, type Scope, type Window } from '../../../shared/reads/sql/scope.js';
import { summary } from '../../../shared/reads/traffic/summary.js';
import { traffic } from '../../../shared/reads/traffic/traffic.js';
import { urlPatterns } from '../../../shared/reads/url-patterns/url-patterns.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { isTooMuchForOneRead } from '../../../shared/store/store-errors.js';
import { type CrawlHealth, readCrawlHealth } from '../crawls/health/crawl-health.js';
import { readCrawlersMet } from './model/crawlers-met.js';
import { MOST_ALERTS, type ReportData } from './model/report-data.js';
import { readUnjudgedHours } from './unjudged-hours.js';

export interface UploadBlocksOptions {
  readonly clickhouse: ClickHouseReader;
  readonly website: { readonly id: string; readonly domain: string };
  readonly window: Window;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether this installation sends requests to websites. */
  readonly fetchesWebsites: boolean;
  readonly recommendations: RecommendationInput;
  readonly sources: ReportSources;
  readonly detection: AiLandingInput['detection'];
  readonly signal: AbortSignal;
}

/** Further data of a website besides its logs. */
export interface ReportSources {
  /** null: none is ready. */
  readonly crawl: ReadCrawl | null;
  /** null: no search source is connected. */
  readonly connection: SearchConnection | null;
}

/** The minimum of the reads. A report shows fewer rows of each list. */
const LISTED = 50;

/** A report may take longer than an API call. */
const READ_MS = 5 * MINUTE_MS;
const search = { params_filter: 'all' } as const;

/**
 * Reads the data of a report through the API's own answers. The reads are sequential, because the engine also answers API calls.
 * @throws as `ClickHouseReader.read`; ReadEndedError when the signal fires
 */
export async function gatherReport(options: UploadBlocksOptions): Promise<ReportData> {
  const { website, window, askedAt, signal, fetchesWebsites } = options;
  const { domain } = website;
  const reader: ClickHouseReader = {
    read: (query) => options.clickhouse.read({ ...query, timeoutMs: READ_MS, signal }),
  };
  const scope: Scope = { websiteId: website.id, window, filters: {} };
  const asked = { websiteId: website.id, now: askedAt };
  const files = { domain, fetchesWebsites };
  const { crawl, connection } = options.sources;
  const crawlHealth = await readCrawlHealth(reader, scope);
  const volume = await traffic.read(reader, scope, {});
  return {
    domain,
    window,
    askedAt,
    summary: await summary.read(reader, scope, {}),
    traffic: volume,
    bots: await bots.read(reader, scope, {}),
    access: await botsAccess.read(reader, scope, { limit: 100 }),
    seo: await seo.read(reader, scope, search),
    crawl: crawlHealth,
    crawlBefore: await readCrawlBefore(reader, scope, crawlHealth),
    crawlersMet: await readCrawlersMet(reader, scope),
    health: await health.read(reader, asked, {}),
    alerts: await alerts.read(reader, asked, {
      ...{ limit: MOST_ALERTS, selection: window },
      nameOf: () => null,
    }),
    unjudgedHours: await readUnjudgedHours(reader, { websiteId: website.id, askedAt }, volume.hourly),
    checks: await checks.read(reader, asked, {}),
    llms: await llms.read(reader, scope, { limit: LISTED }),
    aiPages: await readAiPages(reader, scope),
    aiFunnel: await aiFunnel.read(reader, scope, { min_impressions: 50, connection }),
    aiLanding: await aiLanding.read(reader, scope, { limit: LISTED, detection: options.detection }),
    budget: await orNone(
      budgetUrls.read(reader, scope, { ...search, directory: '/', page: 1, page_size: 15 }),
    ),
    patterns: await orNone(urlPatterns.read(reader, scope, { ...search, min_urls: 3 })),
    consistency: await orNone(
      statusConsistency.read(reader, scope, { ...search, min_requests: 3, limit: 50 }),
    ),
    robots: await orNone(robots.read(reader, scope, files)),
    sitemap: await orNone(
      sitemapCoverage.read(reader, asked, {
        ...files,
        ...{ status: 'never_crawled', sort: 'first_seen', descending: false, page: 1, page_size: 15 },
      }),
    ),
    recommendations: await orNone(readWhole(recommendations, reader, scope, options.recommendations)),
    siteCrawl: await orNone(crawlReport.read(reader, scope, { crawl, connection, limit: LISTED })),
    siteAudit: await orNone(crawlAudit.read(reader, scope, { crawl, limit: LISTED })),
    searchResults: await orNone(
      searchPerformance.read(reader, asked, {
        connection,
        wanted: { days: Math.round((window.end - window.start) / DAY_MS) },
      }),
    ),
  };
}

async function readCrawlBefore(
  reader: ClickHouseReader,
  scope: Scope,
  now: CrawlHealth,
): Promise<CrawlHealth | null> {
  if (now.requestsBefore === null) return null;
  const before = await readCrawlHealth(reader, { ...scope, window: previousWindow(scope.window) });
  return before.basis === now.basis ? before : null;
}

async function readAiPages(reader: ClickHouseReader, scope: Scope): Promise<ReportData['aiPages']> {
  const { ai: basis } = await readCrawlBases(reader, scope);
  const filters = basis === 'verified' ? ({ botVerified: true } as const) : {};
  const { pages } = await llms.read(reader, { ...scope, filters }, { limit: LISTED });
  return { basis, pages };
}

/** Both parts of an answer; the first alone if the second is too large for one read. */
async function readWhole<Shape extends z.ZodRawShape, Input>(
  { read, complete }: Answer<Shape, Input>,
  reader: ClickHouseReader,
  scope: Scope,
  input: Input,
) {
  const firstHalf = await read(reader, scope, input);
  return (await orNone(complete!(reader, scope, input, firstHalf))) ?? firstHalf;
}

/** A read that is too large removes its part of the report, not the report. */
async function orNone<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (!isTooMuchForOneRead(error)) throw error;
    return null;
  }
}
