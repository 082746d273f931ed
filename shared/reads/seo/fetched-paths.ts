import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type CrawlBasis, verificationsOf } from '../bots/crawl-basis-sql.js';
import { day, daySeconds, type FinishedBuild, midnightOf } from '../bots/daily-build.js';
import { firstFetchDay, searchCrawlerFetches } from '../bots/search-crawler-fetches.js';
import { pathsOfCrawl } from '../crawls/crawled-pages.js';
import { listedPaths } from '../sitemaps/listed-paths.js';
import type { Clause } from '../sql/clause.js';
import { oneOf } from '../sql/filters.js';
import { type LateVerdicts, withLateVerdicts } from '../sql/late-verdicts.js';
import { crawlerPaths } from '../sql/read-tables.js';
import { type Part, readTogether } from '../sql/read-together.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { compareBytes } from '../sql/text-order.js';

/**
 * The paths that search crawlers fetched, with their fetches. Days before the last build's day come from the build, and later days from
 * their rollup. The result covers 90 days, and one more until the daily build is finished. Without a build, or if it is stale, the rollup
 * provides all days, at many times the cost.
 */

export interface FetchedPaths {
  readonly websiteId: string;
  /** As in `Scope`. */
  readonly lateVerdicts?: LateVerdicts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The requests that count. */
  readonly basis: CrawlBasis;
  /** The newest build; null: none. */
  readonly build: FinishedBuild | null;
}

/** The build that has fetches of days before its own; null: none. */
function currentBuild({ build }: Pick<FetchedPaths, 'build'>): FinishedBuild | null {
  return build === null || build.stale ? null : build;
}

/** Midnight (UTC) at which the days begin that the build does not have. */
function startOfLater(given: Pick<FetchedPaths, 'build' | 'now'>): number {
  const build = currentBuild(given);
  return build === null ? firstFetchDay(given.now) : midnightOf(build.generated);
}

/** SQL of the condition on rows of the build, with its parameters. */
function ofBuild({ websiteId, basis }: FetchedPaths, build: FinishedBuild): Clause {
  return {
    sql: `website_id = {crawls_website_id: String} AND built_on = ${day('crawls_built_on')} AND build_id = {crawls_build_id: String}
  AND is_verified = ${basis === 'verified'}`,
    params: {
      crawls_website_id: websiteId,
      crawls_build_id: build.buildId,
      crawls_built_on: daySeconds(build.generated),
    },
  };
}

/** A SELECT of partial rows: path and requests. @param where a condition on `path`. */
function crawledRows(given: FetchedPaths, where: Clause | undefined): Clause {
  const { websiteId, lateVerdicts, now, basis } = given;
  const later = searchCrawlerFetches({
    ...{ websiteId, lateVerdicts, now, basis, columns: ['requests'], from: startOfLater(given) },
    ...(where === undefined ? {} : { where }),
  });
  const build = currentBuild(given);
  if (build === null) return { sql: `SELECT path, requests FROM (${later.sql})`, params: later.params };
  const built = ofBuild(given, build);
  return {
    sql: `SELECT path, requests FROM crawled_paths
WHERE ${built.sql}${where === undefined ? '' : ` AND ${where.sql}`}
UNION ALL
SELECT path, requests FROM (${later.sql})`,
    params: { ...later.params, ...built.params },
  };
}

export interface PathSearch {
  /** Part of a path; ASCII letters match in either case. Empty: any path. */
  readonly fragment: string;
  readonly limit: number;
  /** Also finds paths that the sitemaps list since then, from `listedSince`; null: there are no sitemaps. */
  readonly listedSince: number | null;
  /** Also finds the paths of this crawl; null: none. */
  readonly crawlId: string | null;
}

export interface FetchedPath {
  readonly path: string;
  readonly crawls: number;
  /** Milliseconds since the epoch. */
  readonly lastCrawled: number;
  /** Name of the last crawler. */
  readonly lastBot: string;
}

export interface FoundPaths {
  /** Number of matching paths, without the limit. */
  readonly matches: number;
  /** Paths that begin with the fragment, then paths that contain it; most crawls first, then by path. */
  readonly paths: readonly { readonly path: string; readonly crawled: FetchedPath | null }[];
}

const rankedRow = z.object({ path: z.string(), matches: z.number() });

/** The search reads few columns; the last crawler is read only for the results. @throws as ClickHouseReader.read */
export async function searchKnownPaths(
  reader: ClickHouseReader,
  given: FetchedPaths,
  { fragment, limit, listedSince, crawlId }: PathSearch,
): Promise<FoundPaths> {
  const crawled = await withLateVerdicts(reader, given);
  const where = fragment === '' ? undefined : holding(fragment);
  const fetched = crawledRows(crawled, where);
  const { websiteId } = crawled;
  const rows = withOthers(fetched, [
    ...(listedSince === null ? [] : [listedPaths(websiteId, listedSince, where)]),
    ...(crawlId === null ? [] : [pathsOfCrawl({ websiteId, crawlId }, where)]),
  ]);
  const ranked = await reader.read({
    name: 'crawled_paths.search',
    sql: `SELECT c.path AS path, count() OVER () AS matches
FROM (${rows.sql}) AS c
GROUP BY c.path
ORDER BY positionCaseInsensitive(c.path, {prefix: String}) = 1 DESC, sum(c.requests) DESC, c.path
LIMIT {limit: UInt32}`,
    params: { ...rows.params, prefix: prefixOf(fragment), limit },
    row: rankedRow,
  });
  const found = await readFetchedPaths(
    reader,
    crawled,
    ranked.map(({ path }) => path),
  );
  return {
    matches: ranked[0]?.matches ?? 0,
    paths: ranked.map(({ path }) => ({ path, crawled: found.get(path) ?? null })),
  };
}

/** Adds known paths that were never fetched. */
function withOthers(fetched: Clause, others: readonly Clause[]): Clause {
  return {
    sql: [fetched.sql, ...others.map(({ sql }) => `SELECT path, toUInt64(0) AS requests FROM (${sql})`)].join(
      '\nUNION ALL\n',
    ),
    params: Object.assign({}, fetched.params, ...others.map(({ params }) => params)),
  };
}

/** A path begins with a slash: the prefix for `blog` is `/blog`. */
function prefixOf(fragment: string): string {
  return fragment.startsWith('/') ? fragment : `/${fragment}`;
}

function holding(fragment: string): Clause {
  return { sql: 'positionCaseInsensitive(path, {fragment: String}) > 0', params: { fragment } };
}

/** Fetches of these paths by search crawlers; paths without a fetch are absent. */
async function readFetchedPaths(
  reader: ClickHouseReader,
  crawled: FetchedPaths,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FetchedPath>> {
  const rows = await readByTexts(paths, async (batch) => {
    const [[built], later] = await Promise.all([
      readTogether(reader, 'crawled_paths.some', [builtFetches(crawled, batch)]),
      readLaterFetches(reader, crawled, batch),
    ]);
    return [...built, ...later];
  });
  return sumFetches(rows);
}

const fetchesRow = z.object({
  path: z.string(),
  bot_name: z.string(),
  requests: z.number(),
  last_seen: z.number(),
});
type Fetches = z.infer<typeof fetchesRow>;

/** The fetches of these paths that the build has, with their last crawler; null: there is no build. */
export function builtFetches(given: FetchedPaths, paths: readonly string[]): Part<Fetches> | null {
  const build = currentBuild(given);
  if (build === null) return null;
  const built = ofBuild(given, build);
  return {
    sql: `SELECT path, bot_name, requests, toUnixTimestamp64Milli(b.last_seen) AS last_seen FROM crawled_paths AS b
WHERE ${built.sql} AND path IN {paths: Array(String)}`,
    params: { ...built.params, paths },
    row: fetchesRow,
    restsOn: { websiteId: given.websiteId, part: 'other_tables' },
  };
}

/** The fetches of these paths that the build does not have, by crawler. @throws as ClickHouseReader.read */
export function readLaterFetches(
  reader: ClickHouseReader,
  given: FetchedPaths,
  paths: readonly string[],
): Promise<readonly Fetches[]> {
  const { websiteId, lateVerdicts, now, basis } = given;
  const window = { start: startOfLater(given), end: midnightOf(now) + DAY_MS };
  return selectList(
    reader,
    { websiteId, window, filters: {}, lateVerdicts },
    {
      name: 'crawled_paths.later',
      from: [crawlerPaths],
      by: ['path', 'bot_name'],
      metrics: ['requests', 'last_seen'],
      where: [
        oneOf('path', paths),
        oneOf('bot_category', ['search']),
        oneOf('verification', verificationsOf[basis]),
      ],
    },
  );
}

/** Fetches by path. If several crawlers fetched it last at one instant, the last name is listed. */
export function sumFetches(rows: readonly Fetches[]): ReadonlyMap<string, FetchedPath> {
  const found = new Map<string, FetchedPath>();
  for (const { path, bot_name, requests, last_seen } of rows) {
    const known = found.get(path);
    const crawls = (known?.crawls ?? 0) + requests;
    const isLater =
      known === undefined || (last_seen - known.lastCrawled || compareBytes(bot_name, known.lastBot)) > 0;
    found.set(
      path,
      isLater ? { path, crawls, lastCrawled: last_seen, lastBot: bot_name } : { ...known, crawls },
    );
  }
  return found;
}
