import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL, representativeRank } from './findings/of-crawl.js';

const row = z.object({
  status: z.number(),
  indexable: z.boolean(),
  canonical: z.string(),
  redirect_to: z.string(),
  is_ranked: z.boolean(),
  depth: z.number(),
  inlinks: z.number(),
  outlinks: z.number(),
  pagerank: z.number(),
});

/**
 * The result of a crawl for a path. Absent texts are empty and an absent status is 0. For pages without a rank the last four fields have no
 * meaning.
 */
export type CrawledUrl = z.output<typeof row>;

/**
 * Among several pages with one path (differing in query, scheme or host) it returns the representative one.
 * @returns null: the crawl found none; 'missing_results': no result is stored.
 */
export async function readCrawledUrl(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  path: string,
): Promise<CrawledUrl | null | 'missing_results'> {
  const params = crawlParams(crawl);
  const [found] = await reader.read({
    name: 'crawl.url',
    sql: `SELECT p.status AS status, p.indexable AS indexable, p.canonical AS canonical, p.redirect_to AS redirect_to,
  r.crawl_id != '' AS is_ranked, r.depth AS depth, r.inlinks AS inlinks, r.outlinks AS outlinks, r.pagerank AS pagerank
FROM (
  SELECT page, status, indexable, canonical, redirect_to FROM crawl_pages FINAL
  WHERE ${OF_CRAWL} AND path = {path: String}
  ORDER BY ${representativeRank('')} DESC LIMIT 1
) AS p LEFT JOIN (
  SELECT page, crawl_id, depth, inlinks, outlinks, pagerank FROM crawl_ranks FINAL
  WHERE ${OF_CRAWL}
) AS r ON r.page = p.page`,
    params: { ...params, path },
    row: row.extend({ indexable: z.coerce.boolean(), is_ranked: z.coerce.boolean() }),
  });
  if (found !== undefined) return found;
  const anything = await reader.read({
    name: 'crawl.anything',
    sql: `SELECT page FROM crawl_pages WHERE ${OF_CRAWL} LIMIT 1`,
    params,
    row: z.object({ page: z.number() }),
  });
  return anything.length > 0 ? null : 'missing_results';
}
