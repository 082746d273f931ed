import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlBasis } from '../bots/crawl-basis-sql.js';
import { day, daySeconds, type FinishedBuild, LAST_BOT, midnightOf } from '../bots/daily-build.js';
import { searchCrawlerFetches } from '../bots/search-crawler-fetches.js';
import { pathsOfCrawl } from '../crawls/crawled-pages.js';
import { listedPaths } from '../sitemaps/listed-paths.js';
import type { Clause } from '../sql/clause.js';
import { type LateVerdicts, withLateVerdicts } from '../sql/late-verdicts.js';
import { readByTexts } from '../sql/text-batches.js';

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

/** A SELECT of partial rows: path and the columns. @param where a condition on `path`. */
function crawledRows(
  { websiteId, lateVerdicts, now, basis, build: newest }: FetchedPaths,
  columns: readonly ('bot_name' | 'requests' | 'last_seen')[],
  where: Clause | undefined,
): Clause {
  const build = newest === null || newest.stale ? null : newest;
  const condition = where === undefined ? {} : { where };
  const from = build === null ? {} : { from: midnightOf(build.generated) };
  const since = searchCrawlerFetches({
    ...{ websiteId, lateVerdicts, now, basis, columns },
    ...from,
    ...condition,
  });
  const names = ['path', ...columns].join(', ');
  if (build === null) return { sql: `SELECT ${names} FROM (${since.sql})`, params: since.params };
  return {
    sql: `SELECT ${names} FROM crawled_paths
WHERE website_id = {crawls_website_id: String} AND built_on = ${day('crawls_built_on')} AND build_id = {crawls_build_id: String}
  AND is_verified = ${basis === 'verified'}${where === undefined ? '' : ` AND ${where.sql}`}
UNION ALL
SELECT ${names} FROM (${since.sql})`,
    params: {
      ...since.params,
      crawls_build_id: build.buildId,
      crawls_built_on: daySeconds(build.generated),
    },
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

const crawledPath = z.object({
  path: z.string(),
  crawls: z.number(),
  /** Milliseconds since the epoch. */
  lastCrawled: z.number(),
  /** Name of the last crawler. */
  lastBot: z.string(),
});
export type FetchedPath = Readonly<z.output<typeof crawledPath>>;

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
  const fetched = crawledRows(crawled, ['requests'], where);
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
export async function readFetchedPaths(
  reader: ClickHouseReader,
  crawled: FetchedPaths,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FetchedPath>> {
  if (paths.length === 0) return new Map();
  const known = await withLateVerdicts(reader, crawled);
  const found = await readByTexts(paths, (batch) => readBatch(reader, known, batch));
  return new Map(found.map((one) => [one.path, one]));
}

function readBatch(
  reader: ClickHouseReader,
  crawled: FetchedPaths,
  paths: readonly string[],
): Promise<FetchedPath[]> {
  const rows = crawledRows(crawled, ['bot_name', 'requests', 'last_seen'], {
    sql: 'path IN {paths: Array(String)}',
    params: { paths },
  });
  return reader.read({
    name: 'crawled_paths.some',
    sql: `SELECT c.path AS path, sum(c.requests) AS crawls, toUnixTimestamp64Milli(max(c.last_seen)) AS lastCrawled, ${LAST_BOT} AS lastBot
FROM (${rows.sql}) AS c
GROUP BY c.path`,
    params: rows.params,
    row: crawledPath,
  });
}
