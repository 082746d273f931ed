import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { Clause } from '../sql/clause.js';
import { readByTexts } from '../sql/text-batches.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL, representativeRank } from './findings/of-crawl.js';

/** Pages of a crawl, by their paths. */

/** A SELECT of the paths that the crawl fetched. @param where a condition on `path` */
export function pathsOfCrawl(crawl: CrawlOf, where?: Clause): Clause {
  return {
    sql: `SELECT DISTINCT path FROM crawl_pages WHERE ${OF_CRAWL} AND fetched_at > 0${where === undefined ? '' : ` AND ${where.sql}`}`,
    params: { ...crawlParams(crawl), ...where?.params },
  };
}

export interface PageOfCrawl {
  readonly status: number;
  readonly indexable: boolean;
}

const standingRow = z.object({ path: z.string(), status: z.number(), indexable: z.boolean() });

/** Results of the crawl for these paths; paths that it did not fetch are absent. */
export async function readPagesOfCrawl(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PageOfCrawl>> {
  const rows = await readByTexts(paths, (batch) =>
    reader.read({
      name: 'crawled_page.some',
      sql: `SELECT p.path AS path, argMax(p.status, ${representativeRank('p.')}) AS status, argMax(p.indexable, ${representativeRank('p.')}) AS indexable
FROM crawl_pages AS p FINAL
WHERE ${OF_CRAWL} AND p.fetched_at > 0 AND p.path IN {paths: Array(String)}
GROUP BY path`,
      params: { ...crawlParams(crawl), paths: batch },
      row: standingRow,
    }),
  );
  return new Map(rows.map(({ path, ...page }) => [path, page]));
}
