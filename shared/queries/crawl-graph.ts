import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { type CrawlQuestion, pagesWithHits } from './crawl-hits.js';
import { crawlParams, OF_CRAWL } from './of-crawl.js';

/** The link graph of a crawl (spec §4.6). */

const count = z.number();
const nodeRow = z.object({
  page: z.number(),
  path: z.string(),
  url: z.string(),
  status: z.number(),
  indexable: z.boolean(),
  depth: z.number(),
  inlinks: count,
  outlinks: count,
  pagerank: z.number(),
  search_hits: count,
  ai_hits: count,
  human_hits: count,
});
export type GraphNode = z.output<typeof nodeRow>;

const COLUMNS = Object.keys(nodeRow.shape)
  .map((name) => `q.${name} AS ${name}`)
  .join(', ');

const ORDERS = {
  /** The home page and what redirects there first: depth 0. */
  rank: { where: 'true', order: 'depth = 0 DESC, pagerank DESC' },
  /** Indexable and linked, and no verified search crawler fetched them. */
  notFetched: { where: 'q.indexable AND q.depth >= 0 AND q.search_hits = 0', order: 'pagerank DESC' },
  /** Verified search crawlers fetch them, and at most one page links to them. */
  hardlyLinked: {
    where: 'q.is_first AND q.search_hits > 0 AND q.inlinks < 2 AND q.depth != 0',
    order: 'search_hits DESC',
  },
} as const;

/** @throws as ClickHouseReader.read, as the other */
export function readGraphNodes(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  by: keyof typeof ORDERS,
  limit: number,
): Promise<GraphNode[]> {
  const pages = pagesWithHits(question);
  const { where, order } = ORDERS[by];
  return reader.read({
    name: `crawl_links.${by}`,
    sql: `SELECT ${COLUMNS} FROM (${pages.sql}) AS q WHERE ${where} ORDER BY ${order}, page LIMIT {limit: UInt32}`,
    params: { ...pages.params, limit },
    row: nodeRow,
  });
}

/**
 * Links between these pages, redirects among them, without canonicals: those between the first of them first.
 * @param nodes their numbers, in the order of their rank.
 */
export async function readGraphEdges(
  reader: ClickHouseReader,
  { scope, crawlId }: CrawlQuestion,
  nodes: readonly number[],
  limit: number,
): Promise<{ readonly total: number; readonly edges: readonly (readonly [number, number])[] }> {
  const place = (column: string) =>
    `transform(${column}, {nodes: Array(UInt32)}, {places: Array(UInt32)}, toUInt32(0))`;
  const rows = await reader.read({
    name: 'crawl_links.edges',
    sql: `SELECT from_page, to_page, count() OVER () AS edges
FROM (
  SELECT from_page, to_page FROM crawl_links
  WHERE ${OF_CRAWL} AND kind IN ('a', 'redirect') AND from_page != to_page
    AND from_page IN {nodes: Array(UInt32)} AND to_page IN {nodes: Array(UInt32)}
  GROUP BY from_page, to_page
)
ORDER BY greatest(${place('from_page')}, ${place('to_page')}), from_page, to_page
LIMIT {limit: UInt32}`,
    params: {
      ...crawlParams({ websiteId: scope.websiteId, crawlId }),
      nodes,
      places: nodes.map((_, index) => index),
      limit,
    },
    row: z.object({ from_page: z.number(), to_page: z.number(), edges: count }),
  });
  return {
    total: rows[0]?.edges ?? 0,
    edges: rows.map(({ from_page, to_page }) => [from_page, to_page] as const),
  };
}
