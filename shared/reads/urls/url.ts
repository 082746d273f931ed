import { z } from '@hono/zod-openapi';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import type { AnalyticsConnection } from '../analytics/analytics-connection.js';
import type { ComparedDay } from '../analytics/measurement-gap.js';
import { answer } from '../answer/answer.js';
import { count, searchFetchCount, twoDigits } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { crawlBasis, proofCounts, toProofCounts } from '../bots/crawl-basis.js';
import { readCrawlBasis } from '../bots/read-crawl-basis.js';
import type { SearchConnection } from '../search/search-connection.js';
import { builtFetches, readLaterFetches, sumFetches } from '../seo/fetched-paths.js';
import { importantPage, staleBuild } from '../seo/page-importance.js';
import {
  type FamilyScore,
  familyScores,
  type ImportanceBuild,
  readImportanceBuild,
} from '../seo/page-importance-sql.js';
import {
  sitemapMembership,
  sitemapSnapshot,
  toMoment,
  toSitemapMembership,
  toSitemapSnapshot,
} from '../sitemaps/sitemap-membership.js';
import { everListed, readSitemapState, toMembership } from '../sitemaps/sitemaps-sql.js';
import { oneOf } from '../sql/filters.js';
import { crawlerPaths } from '../sql/read-tables.js';
import { readTogether } from '../sql/read-together.js';
import type { Scope } from '../sql/scope.js';
import { select } from '../sql/select.js';
import { readUrlAnalytics, withMeasurementGap } from './url-analytics.js';
import { crawledPage, type ReportedCrawl, readUrlCrawl } from './url-crawl.js';
import { readUrlRequests, type UrlRequests, urlLogs } from './url-logs.js';
import { readIndexStatus, urlAnalytics, urlCrawl, urlIndexStatus } from './url-report-sections.js';

const searchBot = z.object({
  family: z.string().openapi({ example: 'Google' }),
  fetches: count('Fetches in the window, except those of impostors.'),
  ...proofCounts('fetches'),
  last_fetch: instant.openapi({ description: 'Time of the last fetch.' }),
});

const sitemap = z.object({
  ...sitemapMembership,
  last_seen: instant.nullable().openapi({
    description: 'The last fetch of the sitemaps that listed it; null if none did.',
  }),
  ...sitemapSnapshot,
  crawl_basis: crawlBasis,
  times_crawled: searchFetchCount,
  last_crawled_by: z.string().nullable().openapi({
    description: 'The crawler that made the last fetch; null if there is none.',
    example: 'Googlebot',
  }),
});

const importance = z.object({
  available: z.boolean(),
  reason: z.enum(['not_built_yet']).nullable().openapi({ description: 'Why it is not available.' }),
  generated_at: instant.nullable().openapi({ description: 'Time of the build.' }),
  stale: staleBuild,
  families: z
    .array(
      z.object({
        family: z.string().openapi({ example: 'Google' }),
        crawl_basis: crawlBasis,
        ...importantPage,
        interval_days: z.number().nullable().openapi({
          description: 'Mean days between these fetches; null for a single fetch.',
          example: 2.6,
        }),
        last_crawl: instant.openapi({ description: 'Time of the last fetch.' }),
      }),
    )
    .openapi({ description: 'Most fetches first; families that were not served the page are absent.' }),
});

export interface UrlInput {
  readonly path: string;
  /** The search-performance source of the website; null: it has none. */
  readonly connection: SearchConnection | null;
  /** The latest ready crawl of the website; null: none. */
  readonly crawl: ReportedCrawl | null;
  /** The analytics connection of the website; null: none. */
  readonly analytics: AnalyticsConnection | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All data of one URL. Rollups and builds answer first, without filters; `logs`, which the filters narrow, follows. */
export const url = answer({
  schema: z.object({
    path: z.string().openapi({
      description:
        'The requested path, without its query string: all sections are of the path, with any query.',
    }),
    ...datedWindow,
    logs: urlLogs
      .nullable()
      .openapi({ description: 'Its requests in the window; null while data_buffering.' }),
    search_bots: z.array(searchBot).openapi({
      description: 'Families of search crawlers in the window, most fetches first. Filters do not apply.',
    }),
    crawl: urlCrawl,
    sitemap,
    index_status: urlIndexStatus,
    analytics: urlAnalytics,
    importance: importance.openapi({ description: 'As in page-importance for all pages.' }),
  }),
  from: [],
  async read(reader, scope, { path, now, connection, crawl, analytics }: UrlInput) {
    const { websiteId, window } = scope;
    const [dated, searchBots, build, state, basis, indexed, visited] = await Promise.all([
      dateWindow(reader, scope),
      readSearchBots(reader, { websiteId, window, filters: {} }, path),
      readImportanceBuild(reader, websiteId, now),
      readSitemapState(reader, websiteId),
      readCrawlBasis(reader, websiteId, now),
      readIndexStatus(reader, connection, path),
      readUrlAnalytics(reader, { connection: analytics, path, window, now }),
    ]);
    const fetched = { websiteId, now, basis, build };
    const [[built, standings, [listed], [page]], later] = await Promise.all([
      readTogether(reader, 'url.standing', [
        builtFetches(fetched, [path]),
        build === null ? null : familyScores(websiteId, build, path),
        // No page is listed before the first fetch.
        state === null ? null : everListed(websiteId, [path]),
        crawledPage(crawl, path),
      ]),
      readLaterFetches(reader, fetched, [path]),
    ]);
    const found = await readUrlCrawl(reader, crawl, page);
    const crawled = sumFetches([...built, ...later]).get(path);
    const membership = state === null ? undefined : toMembership(listed, state);
    return {
      path,
      ...dated.fields,
      logs: null,
      search_bots: searchBots,
      crawl: found,
      index_status: indexed,
      analytics: visited,
      sitemap: {
        ...toSitemapMembership(membership),
        last_seen: toMoment(membership?.lastSeen ?? null),
        ...toSitemapSnapshot(state),
        crawl_basis: basis,
        times_crawled: crawled?.crawls ?? 0,
        last_crawled_by: crawled?.lastBot ?? null,
      },
      importance: toImportance(build, standings),
    };
  },
  async complete(reader, scope, { path, analytics }, firstHalf) {
    let requests: Promise<UrlRequests> | undefined;
    // One scan has the requests of the window and those of the days of web analytics.
    const requestsOn = (days: readonly ComparedDay[]) => {
      requests ??= readUrlRequests(reader, scope, path, days);
      return requests;
    };
    const pagesOf = async (days: readonly ComparedDay[]) => (await requestsOn(days)).pages;
    const asked = { connection: analytics, path };
    const visited = await withMeasurementGap(reader, asked, firstHalf.analytics, pagesOf);
    const { logs } = await requestsOn([]);
    return { ...firstHalf, logs, analytics: visited };
  },
});

async function readSearchBots(reader: ClickHouseReader, scope: Scope, path: string) {
  const { families } = await select(reader, scope, {
    name: 'url.search_bots',
    from: [crawlerPaths],
    lists: { families: { by: ['bot_family'] } },
    foldedHere: true,
    metrics: ['requests', 'verified_requests', 'last_seen'],
    where: [
      oneOf('path', [path]),
      oneOf('bot_category', ['search']),
      oneOf('verification', ['verified', 'unverifiable', 'pending']),
    ],
  });
  return families.map((row) => ({
    family: row.bot_family,
    fetches: row.requests,
    ...toProofCounts(row),
    last_fetch: toInstant(row.last_seen),
  }));
}

function toImportance(
  build: ImportanceBuild | null,
  standings: readonly FamilyScore[],
): z.input<typeof importance> {
  if (build === null)
    return { available: false, reason: 'not_built_yet', generated_at: null, stale: null, families: [] };
  const basisOf = new Map(build.families.map(({ family, basis }) => [family, basis]));
  return {
    available: true,
    reason: null,
    generated_at: toInstant(build.generated),
    stale: build.stale,
    families: standings.map(({ family, crawls, score, firstCrawl, lastCrawl }) => ({
      family,
      crawl_basis: basisOf.get(family) ?? 'unproved',
      crawls,
      score,
      interval_days: crawls < 2 ? null : twoDigits((lastCrawl - firstCrawl) / (crawls - 1) / DAY_MS),
      last_crawl: toInstant(lastCrawl),
    })),
  };
}
