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

/** The page of a crawl that represents a path. Absent texts are empty and an absent status is 0. */
export type RepresentativePage = z.output<typeof pageRow>;

/** Among several pages with one path (differing in query, scheme or host) the representative one: one row or none. */
export function representativePage(crawl: CrawlOf, path: string): Part<RepresentativePage> {
  return {
    sql: `SELECT page, status, indexable, canonical, redirect_to FROM crawl_pages FINAL
WHERE ${OF_CRAWL} AND path = {path: String}
ORDER BY ${representativeRank('')} DESC LIMIT 1`,
    params: { ...crawlParams(crawl), path },
    row: pageRow,
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  };
}

/** The results of a crawl about a page. */
export interface PageResults {
  /** null: the page has none. */
  readonly rank: z.output<typeof rankRow> | null;
  /** Paths of pages that link to it, those of the highest rank first. */
  readonly linkedFrom: readonly string[];
  /** By name. */
  readonly findings: readonly { readonly finding: string; readonly problem: string }[];
}

/** @param mostLinking limit of the linking pages. @throws as ClickHouseReader.read */
export async function readPageResults(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  { page, mostLinking }: { readonly page: number; readonly mostLinking: number },
): Promise<PageResults> {
  const of = {
    params: { ...crawlParams(crawl), page },
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  } as const;
  const [[rank = null], linking, findings] = await readTogether(reader, 'crawl.page', [
    rankOf(of),
    linkingPaths(of, mostLinking),
    findingsOf(of),
  ]);
  return { rank, linkedFrom: linking.map(({ path }) => path), findings };
}

/** Whether any page of the crawl is stored. @throws as ClickHouseReader.read */
export async function hasPages(reader: ClickHouseReader, crawl: CrawlOf): Promise<boolean> {
  const anything = await reader.read({
    name: 'crawl.anything',
    sql: `SELECT page FROM crawl_pages WHERE ${OF_CRAWL} LIMIT 1`,
    params: crawlParams(crawl),
    row: z.object({ page: z.number() }),
    restsOn: { websiteId: crawl.websiteId, part: 'other_tables' },
  });
  return anything.length > 0;
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
