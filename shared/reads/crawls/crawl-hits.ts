import type { ClickHouseReader, Query } from '../../store/client.js';
import { ReadTooLargeError } from '../../store/store-errors.js';
import type { Clause } from '../sql/clause.js';
import { type DimensionFilter, oneOf, onPaths } from '../sql/filters.js';
import { crawlerPaths, paths } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { type SegmentRules, segmentClause } from '../sql/segment-conditions.js';
import { tableSourceOf } from '../sql/table-source.js';
import { crawlParams, OF_CRAWL, representativeRank } from './findings/of-crawl.js';

/** Pages of a crawl with the requests for their paths in a window of the logs. */

/** A condition on the path: the crawl has a page with it. */
const inCrawl: DimensionFilter = {
  dimension: 'path',
  clause: (column) => ({ sql: `${column} IN (SELECT path FROM crawl_pages WHERE ${OF_CRAWL})`, params: {} }),
};

/** SQL over fetches of crawlers: the fetch is from a verified search crawler. */
export const IS_VERIFIED_SEARCH = "c.bot_category = 'search' AND c.verification = 'verified'";

/**
 * A SELECT of the fetches of crawlers: rows with `path`, `bot_category`, `verification`, `requests`, `last_seen` and
 * `status`.
 */
export function crawlerFetches(scope: Scope, where: readonly DimensionFilter[] = []): Clause {
  return tableSourceOf([crawlerPaths], scope, {
    dimensions: ['path', 'bot_category', 'verification', 'status'],
    metrics: ['requests', 'last_seen'],
    where: [onPaths, ...where],
  });
}

/**
 * A SELECT with one row for each path that these crawlers requested. The hits of verified ones are `search_hits`, with the last
 * in `last_search_ms` (milliseconds). Unproved claims are `claimed_hits`. With AI crawlers, their hits without impostors are `ai_hits`.
 */
function crawlerHitsByPath(
  scope: Scope,
  categories: readonly ('search' | 'ai')[],
  onlyPaths: readonly DimensionFilter[],
): Clause {
  const fetches = crawlerFetches(scope, [...onlyPaths, oneOf('bot_category', categories)]);
  const ai = categories.includes('ai')
    ? `,
    sumIf(c.requests, c.bot_category = 'ai' AND c.verification != 'spoofed') AS ai_hits`
    : '';
  return {
    sql: `SELECT c.path AS path, sumIf(c.requests, ${IS_VERIFIED_SEARCH}) AS search_hits,
    toUnixTimestamp64Milli(maxIf(c.last_seen, ${IS_VERIFIED_SEARCH})) AS last_search_ms,
    sumIf(c.requests, c.bot_category = 'search' AND c.verification NOT IN ('verified', 'spoofed')) AS claimed_hits${ai}
FROM (${fetches.sql}) AS c GROUP BY path`,
    params: fetches.params,
  };
}

/** A SELECT with one row for each path, with the requests of people as `human_hits`. */
function humanHitsByPath(scope: Scope, onlyPaths: readonly DimensionFilter[]): Clause {
  // Under a filter its tables and their bounds can differ from those of crawlers, so its parameters have their own names.
  const people = tableSourceOf([paths], scope, {
    dimensions: ['path'],
    metrics: ['human_requests'],
    where: [onPaths, ...onlyPaths],
    edges: 'people',
  });
  return {
    sql: `SELECT s.path AS path, sum(s.human_requests) AS human_hits FROM (${people.sql}) AS s GROUP BY path`,
    params: people.params,
  };
}

export interface CrawlQuestion {
  readonly scope: Scope;
  readonly crawlId: string;
}

/** `search`: without `ai_hits` and `human_hits`. Requests of people are by far the most rows. */
type HitsBy = 'search' | 'everyone';

/**
 * A statement over the crawl's pages with their ranks and the hits of their paths. The hits of all paths are joined: for the engine, the set
 * of the crawl's paths costs more. Only if they need too much memory, other paths are left out first.
 * @param queryOf its statement, from a SELECT of the pages. @throws as ClickHouseReader.read
 */
export async function readPagesWithHits<Row>(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  by: HitsBy,
  queryOf: (pages: Clause) => Query<Row>,
): Promise<Row[]> {
  try {
    return await reader.read(queryOf(pagesWithHits(question, by, [])));
  } catch (error) {
    if (!(error instanceof ReadTooLargeError)) throw error;
    return reader.read(queryOf(pagesWithHits(question, by, [inCrawl])));
  }
}

/**
 * A segment also narrows the pages. Several pages can share a path, such as /a?x=1 and /a: only the page with `is_first` counts its hits.
 * @param onlyPaths of the hits
 */
function pagesWithHits(
  { scope, crawlId }: CrawlQuestion,
  by: HitsBy,
  onlyPaths: readonly DimensionFilter[],
): Clause {
  const hits = crawlerHitsByPath(scope, by === 'search' ? ['search'] : ['search', 'ai'], onlyPaths);
  const people = by === 'search' ? null : humanHitsByPath(scope, onlyPaths);
  const segment = pagesOfSegment(scope.filters.segment);
  return {
    sql: `SELECT p.page AS page, p.path AS path, p.url AS url, p.status AS status, p.indexable AS indexable, p.is_fetched AS is_fetched, p.is_first AS is_first,
  r.depth AS depth, r.inlinks AS inlinks, r.outlinks AS outlinks, r.pagerank AS pagerank,
  h.search_hits AS search_hits, h.last_search_ms AS last_search_ms, h.claimed_hits AS claimed_hits${people === null ? '' : ', h.ai_hits AS ai_hits, m.human_hits AS human_hits'}
FROM (
  SELECT page, path, url, status, indexable, fetched_at > 0 AS is_fetched,
    row_number() OVER (PARTITION BY path ORDER BY ${representativeRank('')} DESC) = 1 AS is_first
  FROM (SELECT page, path, url, status, indexable, fetched_at FROM crawl_pages FINAL WHERE ${OF_CRAWL})${segment === null ? '' : ` WHERE ${segment.sql}`}
) AS p
LEFT ANY JOIN (SELECT page, depth, inlinks, outlinks, pagerank FROM crawl_ranks FINAL WHERE ${OF_CRAWL}) AS r ON r.page = p.page
LEFT ANY JOIN (${hits.sql}) AS h ON h.path = p.path${people === null ? '' : `\nLEFT ANY JOIN (${people.sql}) AS m ON m.path = p.path`}`,
    params: {
      ...hits.params,
      ...people?.params,
      ...segment?.params,
      ...crawlParams({ websiteId: scope.websiteId, crawlId }),
    },
  };
}

function pagesOfSegment(segment: SegmentRules | undefined): Clause | null {
  if (segment === undefined) return null;
  return segmentClause(segment, 'crawl_segment', {
    path: 'path',
    queryHolds: (values) => `multiSearchAny(concat('&', queryString(url)), ${values})`,
  });
}
