import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { CrawlOf } from '../crawls/crawl-page.js';
import type { Clause } from './clause.js';
import { crawlParams, OF_CRAWL } from './of-crawl.js';
import { readByTexts } from './text-batches.js';

/** Pages of a crawl, by their paths. Of several pages with one path, as /a?x=1 and /a, that answers best and is shortest stands for it. */

const STANDS_FOR_PATH =
  'p.fetched_at > 0, p.status BETWEEN 200 AND 299, p.indexable, -length(p.url), -toInt64(p.page)';

/** A SELECT of the crawl's paths that it fetched. @param where a condition on `path` */
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

/** What the crawl was answered for these paths; one that it did not fetch is absent. */
export async function readPagesOfCrawl(
  reader: ClickHouseReader,
  crawl: CrawlOf,
  paths: readonly string[],
): Promise<ReadonlyMap<string, PageOfCrawl>> {
  const rows = await readByTexts(paths, (batch) =>
    reader.read({
      name: 'crawled_page.some',
      sql: `SELECT p.path AS path, argMax(p.status, (${STANDS_FOR_PATH})) AS status, argMax(p.indexable, (${STANDS_FOR_PATH})) AS indexable
FROM crawl_pages AS p FINAL
WHERE ${OF_CRAWL} AND p.fetched_at > 0 AND p.path IN {paths: Array(String)}
GROUP BY path`,
      params: { ...crawlParams(crawl), paths: batch },
      row: standingRow,
    }),
  );
  return new Map(rows.map(({ path, ...page }) => [path, page]));
}
