import { z } from 'zod';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** The number of known pages of a crawl, and its home pages. @throws as ClickHouseReader.read, as all of these */
export async function readCrawlExtent(
  reader: ClickHouseReader,
  crawl: CrawlOf,
): Promise<{ readonly pages: number; readonly home: readonly number[] }> {
  const [found] = await reader.read({
    name: 'crawl.extent',
    // An upload marks no home page, so the page at the root counts.
    sql: `SELECT if(count() = 0, 0, max(page) + 1) AS pages, groupUniqArrayIf(page, found_by = 'home') AS home,
  groupUniqArrayIf(page, path = '/') AS root
FROM crawl_pages WHERE ${OF_CRAWL}`,
    params: crawlParams(crawl),
    row: z.object({ pages: z.number(), home: z.array(z.number()), root: z.array(z.number()) }),
    caughtUpWith: ['crawl_pages'],
  });
  const { pages, home, root } = found!;
  return { pages, home: (home.length > 0 ? home : root).toSorted((one, other) => one - other) };
}

const pageCounts = z.object({
  /** Fetched pages. */
  urlCount: z.number(),
  indexableCount: z.number(),
  status200: z.number(),
  /** Fetched pages that no links lead to from the home page. */
  unlinkedCount: z.number(),
  /** Links from the home page to the deepest page; null: no page is linked. */
  maxDepth: z.number().nullable(),
});
export type CrawlPageCounts = Readonly<z.output<typeof pageCounts>>;

/** To be called after the ranks are written. */
export async function readCrawlCounts(reader: ClickHouseReader, crawl: CrawlOf): Promise<CrawlPageCounts> {
  const [found] = await reader.read({
    name: 'crawl.counts',
    sql: `SELECT count() AS urlCount, countIf(p.indexable) AS indexableCount, countIf(p.status = 200) AS status200,
  countIf(r.depth < 0) AS unlinkedCount, maxOrNullIf(r.depth, r.depth >= 0) AS maxDepth
FROM (SELECT page, indexable, status FROM crawl_pages FINAL WHERE ${OF_CRAWL} AND fetched_at > 0) AS p
INNER JOIN (SELECT page, depth FROM crawl_ranks FINAL WHERE ${OF_CRAWL}) AS r ON r.page = p.page`,
    params: crawlParams(crawl),
    row: pageCounts,
    caughtUpWith: ['crawl_pages', 'crawl_ranks'],
  });
  return found!;
}

/** The number of pages by finding, for findings with any. */
export async function readFindingCounts(
  reader: ClickHouseReader,
  crawl: CrawlOf,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.read({
    name: 'crawl.finding_counts',
    sql: `SELECT finding, uniqExact(page) AS pages FROM crawl_findings WHERE ${OF_CRAWL} GROUP BY finding`,
    params: crawlParams(crawl),
    row: z.object({ finding: z.string(), pages: z.number() }),
    caughtUpWith: ['crawl_findings'],
  });
  return new Map(rows.map(({ finding, pages }) => [finding, pages]));
}
