import { z } from 'zod';
import type { ClickHouseReader, Query } from '../clickhouse/client.js';
import { DAY_MS } from '../durations.js';
import type { Clause } from './clause.js';
import { oneOf } from './filters.js';
import { crawlerPaths } from './rollups.js';
import { sourceOf } from './source.js';

/** What a website's sitemaps list, and what search crawlers fetched of it. */

const stateRow = z.object({
  fetches: z.number(),
  last_checked_ms: z.number(),
  last_complete_ms: z.number(),
  complete: z.boolean(),
  reason: z.string(),
  files: z.number(),
  failed_files: z.number(),
  foreign_urls: z.number(),
  invalid_urls: z.number(),
  problems: z.string(),
});

const problemList = z.array(z.object({ sitemap: z.string(), problem: z.string() }));

/** The last fetch of a website's sitemaps; times in milliseconds since the epoch. */
export interface SitemapState {
  readonly lastChecked: number;
  /** Start of the last fetch that was complete: what it did not list is not listed. null: there was none. */
  readonly lastComplete: number | null;
  /** Whether the last one was. */
  readonly complete: boolean;
  /** Why not (shared/sitemaps/walk-sitemaps.ts). */
  readonly reason: string | null;
  readonly files: number;
  readonly failedFiles: number;
  readonly foreignUrls: number;
  readonly invalidUrls: number;
  readonly problems: readonly { readonly sitemap: string; readonly problem: string }[];
}

/** null: they were never fetched. */
export async function readSitemapState(
  reader: ClickHouseReader,
  websiteId: string,
): Promise<SitemapState | null> {
  const last = (column: string) => `argMax(f.${column}, f.fetched_at) AS ${column}`;
  const [row] = await reader.read({
    name: 'sitemap.state',
    sql: `SELECT count() AS fetches, toUnixTimestamp64Milli(max(f.fetched_at)) AS last_checked_ms,
  toUnixTimestamp64Milli(maxIf(f.fetched_at, f.complete)) AS last_complete_ms,
  ${['complete', 'reason', 'files', 'failed_files', 'foreign_urls', 'invalid_urls', 'problems'].map(last).join(', ')}
FROM sitemap_fetches AS f
WHERE f.website_id = {website_id: String}`,
    params: { website_id: websiteId },
    row: stateRow,
  });
  if (row === undefined || row.fetches === 0) return null;
  return {
    lastChecked: row.last_checked_ms,
    lastComplete: row.last_complete_ms === 0 ? null : row.last_complete_ms,
    complete: row.complete,
    reason: row.reason === '' ? null : row.reason,
    files: row.files,
    failedFiles: row.failed_files,
    foreignUrls: row.foreign_urls,
    invalidUrls: row.invalid_urls,
    problems: problemList.parse(JSON.parse(row.problems)),
  };
}

/** How far back crawls count: whole UTC days, the present one included. */
export const CRAWL_DAYS = 90;
/** A page that no search crawler has fetched for longer is stale. */
export const STALE_DAYS = 30;
/** Of what search crawlers fetch, the pages: a sitemap lists no style sheets. */
const PAGE_TYPES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp', 'cfm', 'pdf'];

export const coverageStatuses = [
  'all',
  'never_crawled',
  'recently_crawled',
  'stale',
  'not_in_sitemap',
] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

export const coverageSorts = ['path', 'times_crawled', 'last_crawled', 'first_seen'] as const;
export type CoverageSort = (typeof coverageSorts)[number];

export interface CoverageQuestion {
  readonly websiteId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Paths that were last listed before it are no longer listed; `SitemapState.lastComplete`. */
  readonly listedSince: number | null;
}

export interface CoveragePage {
  readonly status: CoverageStatus;
  readonly sort: CoverageSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const coverageRow = z.object({
  path: z.string(),
  url: z.string(),
  sitemap: z.string(),
  /** 0: not told. */
  lastmod_ms: z.number(),
  /** 0: not listed. */
  first_seen_ms: z.number(),
  crawls: z.number(),
  last_crawl_ms: z.number(),
  file_type: z.string(),
  response_code: z.number(),
  bot_name: z.string(),
});
export type CoverageRow = z.infer<typeof coverageRow>;

/** @throws as `ClickHouseReader.read` */
export async function readCoverage(
  reader: ClickHouseReader,
  question: CoverageQuestion,
  { status, sort, descending, limit, offset }: CoveragePage,
): Promise<CoverageRow[]> {
  const { sql, params } = coverageOf(question);
  const direction = descending ? 'DESC' : 'ASC';
  return reader.read({
    name: 'sitemap.coverage',
    sql: `SELECT b.path AS path, b.url AS url, b.sitemap AS sitemap, toUnixTimestamp64Milli(b.lastmod) AS lastmod_ms,
  toUnixTimestamp64Milli(b.first_seen) AS first_seen_ms, b.crawls AS crawls,
  toUnixTimestamp64Milli(b.last_crawl) AS last_crawl_ms, b.file_type AS file_type, b.response_code AS response_code, b.bot_name AS bot_name
FROM (${sql}) AS b
WHERE ${conditions[status]}
ORDER BY ${sort === 'path' ? '' : `b.${columnOf[sort]} ${direction}, `}b.path ${sort === 'path' ? direction : 'ASC'}
LIMIT {limit: UInt32} OFFSET {offset: UInt64}`,
    params: { ...params, limit, offset },
    row: coverageRow,
  });
}

const totalsRow = z.object({
  all: z.number(),
  never_crawled: z.number(),
  recently_crawled: z.number(),
  stale: z.number(),
  not_in_sitemap: z.number(),
});

/** How many paths have each status. @throws as `ClickHouseReader.read` */
export async function readCoverageTotals(
  reader: ClickHouseReader,
  question: CoverageQuestion,
): Promise<Record<CoverageStatus, number>> {
  const { sql, params } = coverageOf(question);
  const counts = coverageStatuses.map((status) => `countIf(${conditions[status]}) AS ${status}`);
  const [row] = await reader.read({
    name: 'sitemap.totals',
    sql: `SELECT ${counts.join(', ')} FROM (${sql}) AS b`,
    params,
    row: totalsRow,
  });
  return row!;
}

const columnOf = { times_crawled: 'crawls', last_crawled: 'last_crawl', first_seen: 'first_seen' } as const;

const STALE_BEFORE = "fromUnixTimestamp64Milli({stale_before: Int64}, 'UTC')";
const conditions: Record<CoverageStatus, string> = {
  all: 'b.listed',
  never_crawled: 'b.listed AND b.crawls = 0',
  recently_crawled: `b.listed AND b.crawls > 0 AND b.last_crawl >= ${STALE_BEFORE}`,
  stale: `b.listed AND b.crawls > 0 AND b.last_crawl < ${STALE_BEFORE}`,
  not_in_sitemap: 'NOT b.listed AND has({page_types: Array(String)}, b.file_type)',
};

/** A row for each path that is listed or was fetched. */
function coverageOf({ websiteId, now, listedSince }: CoverageQuestion): Clause {
  const crawls = crawlsOf(websiteId, now);
  return {
    sql: `SELECT if(l.listed, l.path, c.path) AS path, l.listed AS listed, tupleElement(l.entry, 'url') AS url, tupleElement(l.entry, 'sitemap') AS sitemap,
  tupleElement(l.entry, 'lastmod') AS lastmod, l.first_seen AS first_seen, c.crawls AS crawls, c.last_crawl AS last_crawl,
  c.file_type AS file_type, c.response_code AS response_code, c.bot_name AS bot_name
FROM (
  SELECT u.path AS path, true AS listed, min(u.first_seen) AS first_seen, max(u.listed) AS entry
  FROM sitemap_urls AS u
  WHERE u.website_id = {website_id: String}
  GROUP BY path
  HAVING max(u.last_seen) >= fromUnixTimestamp64Milli({listed_since: Int64}, 'UTC')
) AS l
FULL JOIN (${crawls.sql}) AS c ON l.path = c.path`,
    params: {
      ...crawls.params,
      website_id: websiteId,
      listed_since: listedSince ?? 0,
      stale_before: now - STALE_DAYS * DAY_MS,
      page_types: PAGE_TYPES,
    },
  };
}

/** By path, what search crawlers fetched; proven impostors are none. */
function crawlsOf(websiteId: string, now: number): Clause {
  const { sql, params } = sourceOf([crawlerPaths], crawlScope(websiteId, now), {
    dimensions: ['path', 'bot_name', 'file_type', 'status', 'verification'],
    metrics: ['requests', 'last_seen'],
    where: [oneOf('bot_category', ['search'])],
  });
  return {
    sql: `SELECT s.path AS path, sum(s.requests) AS crawls, max(s.last_seen) AS last_crawl,
  argMax(s.file_type, s.last_seen) AS file_type, argMax(s.status, s.last_seen) AS response_code, argMax(s.bot_name, s.last_seen) AS bot_name
FROM (${sql}) AS s
WHERE s.verification != 'spoofed'
GROUP BY s.path`,
    params,
  };
}

/** Whole days, so that the day tier alone answers. */
export function crawlWindow(now: number): { start: number; end: number; running: true } {
  return { start: Math.floor(now / DAY_MS) * DAY_MS - (CRAWL_DAYS - 1) * DAY_MS, end: now, running: true };
}

function crawlScope(websiteId: string, now: number) {
  return { websiteId, window: crawlWindow(now), filters: {} };
}

/** Whether a path is listed. `unknown`: no complete fetch has said so. */
export type Membership = 'present' | 'removed' | 'not_found' | 'unknown';

export interface PathMembership {
  readonly status: Membership;
  /** The last fetch was complete, so that this is how it stood then. */
  readonly confirmed: boolean;
  /** Milliseconds since the epoch; null where it was never listed. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** Start of the first complete fetch that did not list it any more; null where it is not removed. */
  readonly removedAt: number | null;
}

const membershipRow = z.object({
  path: z.string(),
  first_seen_ms: z.number(),
  last_seen_ms: z.number(),
  /** 0: no complete fetch came later. */
  removed_at_ms: z.number(),
});

/**
 * How each of the paths stands, by path.
 * @param paths some hundreds at most: they stand in the statement.
 * @throws as `ClickHouseReader.read`
 */
export async function readMembership(
  reader: ClickHouseReader,
  websiteId: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PathMembership>> {
  const [state, rows] = await Promise.all([
    readSitemapState(reader, websiteId),
    reader.read(membershipQuery(websiteId, paths)),
  ]);
  const listed = new Map(rows.map((row) => [row.path, row]));
  return new Map(
    paths.map((path) => {
      const row = listed.get(path);
      return [path, row === undefined ? neverListed(state) : toMembership(row, state)];
    }),
  );
}

function membershipQuery(websiteId: string, paths: readonly string[]): Query<z.infer<typeof membershipRow>> {
  return {
    name: 'sitemap.membership',
    sql: `SELECT u.path AS path, toUnixTimestamp64Milli(min(u.first_seen)) AS first_seen_ms,
  toUnixTimestamp64Milli(max(u.last_seen)) AS last_seen_ms,
  arrayMin(arrayFilter(t -> t > last_seen_ms, (
    SELECT groupArray(toUnixTimestamp64Milli(f.fetched_at)) FROM sitemap_fetches AS f
    WHERE f.website_id = {website_id: String} AND f.complete
  ))) AS removed_at_ms
FROM sitemap_urls AS u
WHERE u.website_id = {website_id: String} AND u.path IN {paths: Array(String)}
GROUP BY u.path`,
    params: { website_id: websiteId, paths },
    row: membershipRow,
  };
}

function neverListed(state: SitemapState | null): PathMembership {
  const isKnown = state !== null && state.lastComplete !== null;
  const status = isKnown ? 'not_found' : 'unknown';
  return { status, confirmed: isKnown && state.complete, firstSeen: null, lastSeen: null, removedAt: null };
}

function toMembership(row: z.infer<typeof membershipRow>, state: SitemapState | null): PathMembership {
  const removedAt = row.removed_at_ms === 0 ? null : row.removed_at_ms;
  return {
    status: removedAt === null ? 'present' : 'removed',
    confirmed: state?.complete ?? false,
    firstSeen: row.first_seen_ms,
    lastSeen: row.last_seen_ms,
    removedAt,
  };
}
