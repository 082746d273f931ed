import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import type { CrawlOf } from './findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from './findings/of-crawl.js';

/** How far a crawl is. */
export interface CrawlProgress {
  /** Pages that it has found. */
  readonly known: number;
  /** Of these, answered or given up; pages that robots.txt disallows are never asked for. */
  readonly fetched: number;
}

/** What is stored of it by now, whoever works on it. @throws as ClickHouseReader.read */
export async function readCrawlProgress(reader: ClickHouseReader, crawl: CrawlOf): Promise<CrawlProgress> {
  const [row] = await reader.read({
    name: 'crawl.progress',
    // A page may have two rows: the merge that leaves one comes later.
    sql: `SELECT uniqExact(page) AS known, uniqExactIf(page, fetched_at > toDateTime64(0, 3, 'UTC')) AS fetched
FROM crawl_pages WHERE ${OF_CRAWL}`,
    params: crawlParams(crawl),
    row: z.object({ known: z.number(), fetched: z.number() }),
  });
  return row!;
}
