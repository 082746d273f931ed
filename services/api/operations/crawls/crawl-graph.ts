import { z } from 'zod';
import { type CrawlQuestion, readPagesWithHits } from '../../../../shared/reads/crawls/crawl-hits.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

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

const COLUMNS = Object.keys(nodeRow.shape);

/** The lists of nodes: the condition on a page, and SQL that sorts the pages in ascending order. */
const LISTS = {
  /** The home page, or the page it redirects to, has depth 0 and comes first. */
  ranked: { where: 'true', order: 'q.depth != 0, -q.pagerank' },
  /** Indexable, linked pages that no verified search crawler fetched. */
  notFetched: { where: 'q.indexable AND q.depth >= 0 AND q.search_hits = 0', order: '-q.pagerank' },
  /** Pages that verified search crawlers fetch and that at most one page links to. */
  hardlyLinked: {
    where: 'q.is_first AND q.search_hits > 0 AND q.inlinks < 2 AND q.depth != 0',
    order: '-toInt64(q.search_hits)',
  },
} as const;
type List = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as List[];

/** The engine writes a node as an array. */
const listedNode = z
  .tuple([z.unknown(), z.array(z.unknown())])
  .transform(([, values]) =>
    nodeRow.parse(Object.fromEntries(COLUMNS.map((name, index) => [name, values[index]]))),
  );
const nodes = z.array(listedNode);
const listsRow = z.object({ ranked: nodes, notFetched: nodes, hardlyLinked: nodes });

/**
 * The first nodes of each list, in its order. One statement, so that the hits of the pages are counted once; window functions would sort all
 * pages for each list.
 * @param most nodes per list. @throws as ClickHouseReader.read
 */
export async function readGraphNodes(
  reader: ClickHouseReader,
  question: CrawlQuestion,
  most: Readonly<Record<List, number>>,
): Promise<Readonly<Record<List, readonly GraphNode[]>>> {
  const columns = COLUMNS.map((name) => `q.${name}`).join(', ');
  const lists = LIST_NAMES.map((name) => {
    const { where, order } = LISTS[name];
    return `groupArraySortedIf({most_${name}: UInt32})(((${order}, q.page), (${columns})), ${where}) AS ${name}`;
  });
  const [row] = await readPagesWithHits(reader, question, 'everyone', (pages) => ({
    name: 'crawl_links.nodes',
    sql: `SELECT ${lists.join(',\n  ')}
FROM (${pages.sql}) AS q`,
    params: {
      ...pages.params,
      ...Object.fromEntries(LIST_NAMES.map((name) => [`most_${name}`, most[name]])),
    },
    row: listsRow,
  }));
  return row!;
}

/**
 * Links and redirects between these pages, without canonicals. Links between the first pages come first.
 * @param nodes page numbers, by rank.
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
