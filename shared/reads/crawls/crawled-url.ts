import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL, representativeRank } from './findings/of-crawl.js';

const row = z.object({
  page: z.number(),
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
    sql: `SELECT p.page AS page, p.status AS status, p.indexable AS indexable, p.canonical AS canonical, p.redirect_to AS redirect_to,
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
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  });
  if (found !== undefined) return found;
  const anything = await reader.read({
    name: 'crawl.anything',
    sql: `SELECT page FROM crawl_pages WHERE ${OF_CRAWL} LIMIT 1`,
    params,
    row: z.object({ page: z.number() }),
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  });
  return anything.length > 0 ? null : 'missing_results';
}

/** Pages that link to a page, those of the highest rank first. @throws as ClickHouseReader.read */
export function readLinkingPaths(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  page: number,
  limit: number,
): Promise<{ path: string }[]> {
  return reader.read({
    name: 'crawl.linking',
    sql: `SELECT p.path AS path
FROM (
  SELECT page, path FROM crawl_pages FINAL
  WHERE ${OF_CRAWL} AND page IN (
    SELECT from_page FROM crawl_links WHERE ${OF_CRAWL} AND kind = 'a' AND to_page = {page: UInt32} AND from_page != to_page
  )
) AS p LEFT JOIN (SELECT page, pagerank FROM crawl_ranks FINAL WHERE ${OF_CRAWL}) AS r ON r.page = p.page
GROUP BY path
ORDER BY max(r.pagerank) DESC, path
LIMIT {limit: UInt32}`,
    params: { ...crawlParams(crawl), page, limit },
    row: z.object({ path: z.string() }),
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  });
}

/** The findings of a crawl about a page, by name. @throws as ClickHouseReader.read */
export function readFindingsOf(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  page: number,
): Promise<{ finding: string; problem: string }[]> {
  return reader.read({
    name: 'crawl.findings_of_page',
    sql: `SELECT finding, problem FROM crawl_findings FINAL
WHERE ${OF_CRAWL} AND page = {page: UInt32} ORDER BY finding`,
    params: { ...crawlParams(crawl), page },
    row: z.object({ finding: z.string(), problem: z.string() }),
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  });
}
