import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from './findings/of-crawl.js';

/** Progress of a crawl. */
export interface CrawlProgress {
  /** Pages found so far. */
  readonly known: number;
  /** Known pages that were answered or given up; pages that robots.txt disallows are never requested. */
  readonly fetched: number;
}

/** Reads the stored progress, independent of the process that runs the crawl. @throws as ClickHouseReader.read */
export async function readCrawlProgress(reader: ClickHouseReader, crawl: CrawlOf): Promise<CrawlProgress> {
  const [row] = await reader.read({
    name: 'crawl.progress',
    // A page may have two rows until the engine merges them.
    sql: `SELECT uniqExact(page) AS known, uniqExactIf(page, fetched_at > toDateTime64(0, 3, 'UTC')) AS fetched
FROM crawl_pages WHERE ${OF_CRAWL}`,
    params: crawlParams(crawl),
    row: z.object({ known: z.number(), fetched: z.number() }),
  });
  return row!;
}
