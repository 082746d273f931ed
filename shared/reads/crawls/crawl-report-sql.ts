import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { SearchConnection } from '../search/search-connection.js';
import { recentPages } from '../search/search-performance-sql.js';
import { type DimensionFilter, oneOf } from '../sql/filters.js';
import { pageTypes } from '../sql/served-page.js';
import { type CrawlQuestion, crawlerFetches, IS_VERIFIED_SEARCH, readPagesWithHits } from './crawl-hits.js';
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

/** SQL of each figure of a page; a group has their sums. `hits` counts indexable pages, each path once. */
const FIGURES = {
  pages: '1',
  indexable: 'q.indexable',
  active: 'q.indexable AND q.search_hits > 0',
  ignored: IS_IGNORED,
  unproved: `${IS_IGNORED} AND q.claimed_hits > 0`,
  claimed_hits: 'if(q.indexable AND q.is_first, q.claimed_hits, 0)',
  hits: 'if(q.indexable AND q.is_first, q.search_hits, 0)',
} as const;
type Figure = keyof typeof FIGURES;
const figures = Object.keys(FIGURES) as Figure[];

export interface CrawlGroup extends Readonly<Record<Figure, number>> {
  readonly depth_bucket: number;
  readonly inlink_bucket: number;
}

export interface IgnoredPage {
  readonly path: string;
  readonly url: string;
  readonly depth: number;
  readonly inlinks: number;
  readonly impressions: number;
  readonly claimed_hits: number;
}

const pagesRow = z.object({
  /** The keys, then each figure of each key. */
  groups: z.array(z.array(count)),
  ignored: z.array(
    z.tuple([z.unknown(), z.string(), z.string(), z.number(), count, count, count]).transform(
      ([, path, url, depth, inlinks, impressions, claimed_hits]): IgnoredPage => ({
        ...{ path, url, depth, inlinks, impressions, claimed_hits },
      }),
    ),
  ),
});

/** More than the number of inlink buckets. */
const DEPTH_STEP = 100;

/**
 * Fetched pages by depth and by inlinks, and those that no verified search crawler fetched: most impressions first, then most inlinks. Both
 * need the hits of all pages, so one row has both. @throws as ClickHouseReader.read, like all functions here
 */
export async function readCrawledPages(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  { connection, limit }: { readonly connection: SearchConnection | null; readonly limit: number },
): Promise<{ readonly groups: readonly CrawlGroup[]; readonly ignored: readonly IgnoredPage[] }> {
  const shown = connection === null ? null : recentPages(connection);
  const impressions = shown === null ? 'toUInt64(0)' : 'i.impressions';
  const order = `(-toInt64(${impressions}), -toInt64(q.inlinks), q.depth < 0, q.depth, q.path, q.page)`;
  const sums = figures.map((name) => `[toUInt64(${FIGURES[name]})]`);
  const [row] = await readPagesWithHits(reader, question, 'search', (pages) => ({
    name: 'crawl_report.pages',
    sql: `SELECT sumMap([toUInt16(${DEPTH_BUCKET} * ${DEPTH_STEP} + ${INLINK_BUCKET})], ${sums.join(', ')}) AS groups,
  groupArraySortedIf({limit: UInt32})((${order}, q.path, q.url, q.depth, q.inlinks, ${impressions}, q.claimed_hits), ${IS_IGNORED}) AS ignored
FROM (${pages.sql}) AS q${shown === null ? '' : `\nLEFT ANY JOIN (${shown.sql}) AS i ON i.path = q.path`}
WHERE q.is_fetched`,
    params: { ...pages.params, ...shown?.params, limit },
    row: pagesRow,
  }));
  const [keys = [], ...sumsOf] = row!.groups;
  const groups = keys.map((key, place) => ({
    depth_bucket: Math.floor(key / DEPTH_STEP),
    inlink_bucket: key % DEPTH_STEP,
    ...(Object.fromEntries(figures.map((name, index) => [name, sumsOf[index]![place]!])) as Record<
      Figure,
      number
    >),
  }));
  return { groups, ignored: row!.ignored };
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
