import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { SearchConnection } from '../search/search-connection.js';
import { recentPages } from '../search/search-performance-sql.js';
import { type DimensionFilter, oneOf } from '../sql/filters.js';
import { pageTypes } from '../sql/served-page.js';
import { type CrawlQuestion, crawlerFetches, IS_VERIFIED_SEARCH, pagesWithHits } from './crawl-hits.js';
import { crawlParams, OF_CRAWL } from './findings/of-crawl.js';

/** A crawl compared with the fetches of search crawlers (spec §4.6). */

/** SQL of a bucket's index, and the names of the buckets. */
export const depthBuckets = ['0', '1', '2', '3', '4', '5', '6+', 'unlinked'] as const;
const DEPTH_BUCKET = `if(q.depth < 0, ${depthBuckets.length - 1}, least(q.depth, ${depthBuckets.length - 2}))`;
export const inlinkBuckets = ['0', '1', '2-5', '6-20', '21-100', '101+'] as const;
const INLINK_BUCKET =
  'multiIf(q.inlinks <= 1, q.inlinks, q.inlinks <= 5, 2, q.inlinks <= 20, 3, q.inlinks <= 100, 4, 5)';

const IS_LINKED = '(q.inlinks > 0 OR q.depth = 0)';
const IS_IGNORED = `(q.indexable AND ${IS_LINKED} AND q.search_hits = 0)`;

const count = z.number();
const groupRow = z.object({
  depth_bucket: z.number(),
  inlink_bucket: z.number(),
  pages: count,
  indexable: count,
  active: count,
  ignored: count,
  unproved: count,
  hits: count,
  claimed_hits: count,
});
export type CrawlGroup = z.output<typeof groupRow>;

/**
 * Fetched pages by depth and by inlinks. `hits` counts indexable pages, each path once. @throws as ClickHouseReader.read, like all
 * functions here
 */
export function readCrawlGroups(reader: ClickHouseReader, question: CrawlQuestion): Promise<CrawlGroup[]> {
  const pages = pagesWithHits(question, 'search');
  return reader.read({
    name: 'crawl_report.groups',
    sql: `SELECT toInt32(${DEPTH_BUCKET}) AS depth_bucket, toInt32(${INLINK_BUCKET}) AS inlink_bucket, count() AS pages, countIf(q.indexable) AS indexable,
  countIf(q.indexable AND q.search_hits > 0) AS active, countIf(${IS_IGNORED}) AS ignored,
  countIf(${IS_IGNORED} AND q.claimed_hits > 0) AS unproved, sumIf(q.claimed_hits, q.indexable AND q.is_first) AS claimed_hits, sumIf(q.search_hits, q.indexable AND q.is_first) AS hits
FROM (${pages.sql}) AS q
WHERE q.is_fetched
GROUP BY depth_bucket, inlink_bucket`,
    params: pages.params,
    row: groupRow,
  });
}

const ignoredRow = z.object({
  path: z.string(),
  url: z.string(),
  depth: z.number(),
  inlinks: count,
  impressions: count,
  claimed_hits: count,
});

/** Pages that no verified search crawler fetched: most impressions first, then most inlinks. */
export function readIgnoredPages(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  { connection, limit }: { readonly connection: SearchConnection | null; readonly limit: number },
): Promise<z.output<typeof ignoredRow>[]> {
  const pages = pagesWithHits(question, 'search');
  const shown = connection === null ? null : recentPages(connection);
  return reader.read({
    name: 'crawl_report.ignored',
    sql: `SELECT q.path AS path, q.url AS url, q.depth AS depth, q.inlinks AS inlinks, ${shown === null ? 'toUInt64(0)' : 'i.impressions'} AS impressions, q.claimed_hits AS claimed_hits
FROM (${pages.sql}) AS q${shown === null ? '' : `\nLEFT ANY JOIN (${shown.sql}) AS i ON i.path = q.path`}
WHERE q.is_fetched AND ${IS_IGNORED}
ORDER BY impressions DESC, inlinks DESC, depth < 0, depth, path, q.page
LIMIT {limit: UInt32}`,
    params: { ...pages.params, ...shown?.params, limit },
    row: ignoredRow,
  });
}

/** A condition on the path: the crawl has no page with it that is the home page or has inlinks. */
const notLinked: DimensionFilter = {
  dimension: 'path',
  clause: (column) => ({
    sql: `${column} NOT IN (SELECT path FROM crawl_pages WHERE ${OF_CRAWL} AND page IN (
  SELECT page FROM crawl_ranks FINAL WHERE ${OF_CRAWL} AND (inlinks > 0 OR depth = 0)))`,
    params: {},
  }),
};
const pagesOnly: DimensionFilter = {
  dimension: 'file_type',
  clause: (column) => ({
    sql: `${column} IN (${pageTypes.map((type) => `'${type}'`).join(', ')})`,
    params: {},
  }),
};

/** The status of the greatest number is that of the last request. Over a million paths this takes a third of the time of argMax. */
const LAST_STATUS = 'toUInt64(toUnixTimestamp64Milli(c.last_seen)) * 1000 + c.status';

const orphanRow = z.object({ path: z.string(), hits: count, last_status: z.number(), orphans: count });

/**
 * Paths of pages that verified search crawlers fetched and that no page of the crawl links to, most fetches first. `orphans` is their
 * total.
 */
export function readOrphans(
  reader: ClickHouseReader,
  { scope, crawlId }: CrawlQuestion,
  limit: number,
): Promise<z.output<typeof orphanRow>[]> {
  const fetches = crawlerFetches(scope, [notLinked, pagesOnly, oneOf('bot_category', ['search'])]);
  return reader.read({
    name: 'crawl_report.orphans',
    sql: `SELECT c.path AS path, sum(c.requests) AS hits, max(${LAST_STATUS}) % 1000 AS last_status, count() OVER () AS orphans
FROM (${fetches.sql}) AS c
WHERE ${IS_VERIFIED_SEARCH}
GROUP BY path
ORDER BY hits DESC, path
LIMIT {limit: UInt32}`,
    params: { ...fetches.params, ...crawlParams({ websiteId: scope.websiteId, crawlId }), limit },
    row: orphanRow,
  });
}
