import { z } from '@hono/zod-openapi';
import { answer } from '../../../../shared/reads/answer/answer.js';
import { count, loggedPath } from '../../../../shared/reads/answer/figures.js';
import { datedWindow, dateWindow } from '../../../../shared/reads/answer/windows.js';
import {
  clickDepth,
  crawledUrl,
  crawlHead,
  humanHits,
  inlinkCount,
  noCrawl,
  roundedRank,
  toCrawlHead,
  toDepth,
  verifiedSearchHits,
} from '../../../../shared/reads/crawls/crawl-figures.js';
import type { ReadCrawl } from '../../../../shared/reads/crawls/read-crawl.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import { crawlerPaths, paths } from '../../../../shared/reads/sql/read-tables.js';
import { type GraphNode, readGraphEdges, readGraphNodes } from './crawl-graph.js';

/** A graph of 3,000 pages that all link to each other has 9 million. */
const MOST_EDGES = 100_000;
const MOST_LISTED = 20;

const node = z.object({
  id: z.int().openapi({ description: 'Id in edges.' }),
  path: loggedPath,
  url: crawledUrl,
  status: z.int().nullable().openapi({ description: 'HTTP status; null: no answer, or not fetched.' }),
  indexable: z.boolean().openapi({ description: 'Whether search engines may index it.' }),
  depth: clickDepth,
  inlinks: inlinkCount,
  outlinks: count('Other pages of the site that it links to or redirects to.'),
  pagerank: z.number().openapi({
    description:
      'PageRank from the links of the site; the top page has 1. Links marked nofollow pass none on.',
  }),
  search_hits: verifiedSearchHits,
  ai_hits: count('Requests of bots of AI operators for its path, without proven impostors.'),
  human_hits: humanHits,
});

export interface CrawlLinksInput {
  /** null: no crawl is ready. */
  readonly crawl: ReadCrawl | null;
  /** Maximum number of nodes. */
  readonly limit: number;
}

/** The links between the pages of a crawl (spec §4.6). */
export const crawlLinks = answer({
  schema: z.object({
    ...datedWindow,
    ...crawlHead,
    nodes: z.array(node).openapi({
      description: 'Highest PageRank first; always includes the home page. A segment narrows them.',
    }),
    edges: z.array(z.tuple([z.int(), z.int()])).openapi({
      description: `source_id, target_id: a link or redirect from one node to another; at most ${MOST_EDGES}, links between the first nodes first.`,
    }),
    edges_total: z.int().nullable().openapi({ description: 'Number of all edges; null without a crawl.' }),
    not_fetched: z.array(node).openapi({
      description: `Indexable pages that verified search crawlers did not fetch, highest PageRank first, at most ${MOST_LISTED}.`,
    }),
    hardly_linked: z.array(node).openapi({
      description: `Pages with at most one incoming link, most fetches by verified search crawlers first, at most ${MOST_LISTED}.`,
    }),
  }),
  from: [[crawlerPaths], [paths]],
  async read(reader, scope, { crawl, limit }: CrawlLinksInput) {
    const dated = await dateWindow(reader, scope);
    const none = { nodes: [], edges: [], edges_total: null, not_fetched: [], hardly_linked: [] };
    if (crawl === null) return { ...dated.fields, ...noCrawl, ...none };
    const question = { scope: await withLateVerdicts(reader, scope), crawlId: crawl.crawlId };
    const {
      ranked: nodes,
      notFetched,
      hardlyLinked,
    } = await readGraphNodes(reader, question, {
      ...{ ranked: limit, notFetched: MOST_LISTED, hardlyLinked: MOST_LISTED },
    });
    const ranked = nodes.toSorted((a, b) => b.pagerank - a.pagerank || a.page - b.page);
    const { total, edges } = await readGraphEdges(
      reader,
      question,
      ranked.map(({ page }) => page),
      MOST_EDGES,
    );
    return {
      ...dated.fields,
      ...toCrawlHead(crawl),
      nodes: ranked.map(toNode),
      edges: edges.map(([from, to]): [number, number] => [from, to]),
      edges_total: total,
      not_fetched: notFetched.map(toNode),
      hardly_linked: hardlyLinked.map(toNode),
    };
  },
});

function toNode({ page, status, depth, pagerank, ...figures }: GraphNode): z.input<typeof node> {
  return {
    ...{ id: page, ...figures, status: status === 0 ? null : status, depth: toDepth(depth) },
    pagerank: roundedRank(pagerank),
  };
}
