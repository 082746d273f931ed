import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { type Part, readTogether } from '../sql/read-together.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL, representativeRank } from './findings/of-crawl.js';

const pageRow = z.object({
  page: z.number(),
  status: z.number(),
  indexable: z.coerce.boolean(),
  canonical: z.string(),
  redirect_to: z.string(),
});

const rankRow = z.object({
  depth: z.number(),
  inlinks: z.number(),
  outlinks: z.number(),
  pagerank: z.number(),
});

/** The result of a crawl for a path. Absent texts are empty and an absent status is 0. */
export type CrawledUrl = z.output<typeof pageRow> & {
  /** null: the page has none. */
  readonly rank: z.output<typeof rankRow> | null;
  /** Paths of pages that link to it, those of the highest rank first. */
  readonly linkedFrom: readonly string[];
  /** By name. */
  readonly findings: readonly { readonly finding: string; readonly problem: string }[];
};

/**
 * Among several pages with one path (differing in query, scheme or host) it returns the representative one.
 * @param mostLinking limit of the linking pages
 * @returns null: the crawl found none; 'missing_results': no result is stored. @throws as ClickHouseReader.read
 */
export async function readCrawledUrl(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  { path, mostLinking }: { readonly path: string; readonly mostLinking: number },
): Promise<CrawledUrl | null | 'missing_results'> {
  const params = crawlParams(crawl);
  const restsOn = { websiteId: crawl.websiteId, part: 'other_tables' } as const;
  const [found] = await reader.read({
    name: 'crawl.url',
    sql: `SELECT page, status, indexable, canonical, redirect_to FROM crawl_pages FINAL
WHERE ${OF_CRAWL} AND path = {path: String}
ORDER BY ${representativeRank('')} DESC LIMIT 1`,
    params: { ...params, path },
    row: pageRow,
    restsOn,
  });
  if (found !== undefined) {
    const of = { params: { ...params, page: found.page }, restsOn };
    const [[rank = null], linking, findings] = await readTogether(reader, 'crawl.page', [
      rankOf(of),
      linkingPaths(of, mostLinking),
      findingsOf(of),
    ]);
    return { ...found, rank, linkedFrom: linking.map(({ path: from }) => from), findings };
  }
  const anything = await reader.read({
    name: 'crawl.anything',
    sql: `SELECT page FROM crawl_pages WHERE ${OF_CRAWL} LIMIT 1`,
    params,
    row: z.object({ page: z.number() }),
    restsOn,
  });
  return anything.length > 0 ? null : 'missing_results';
}

/** The crawl and the number of a page. */
type OfPage = Pick<Part<unknown>, 'params' | 'restsOn'>;

function rankOf(of: OfPage): Part<z.output<typeof rankRow>> {
  return {
    sql: `SELECT depth, inlinks, outlinks, pagerank FROM crawl_ranks FINAL WHERE ${OF_CRAWL} AND page = {page: UInt32}`,
    ...of,
    row: rankRow,
  };
}

function linkingPaths(of: OfPage, limit: number): Part<{ path: string }> {
  return {
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
    ...of,
    params: { ...of.params, limit },
    row: z.object({ path: z.string() }),
  };
}

function findingsOf(of: OfPage): Part<{ finding: string; problem: string }> {
  return {
    sql: `SELECT finding, problem FROM crawl_findings FINAL
WHERE ${OF_CRAWL} AND page = {page: UInt32} ORDER BY finding`,
    ...of,
    row: z.object({ finding: z.string(), problem: z.string() }),
  };
}
