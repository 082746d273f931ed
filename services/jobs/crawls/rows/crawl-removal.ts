import { z } from 'zod';
import type { CrawlOf } from '../../../../shared/reads/crawls/findings/crawl-page.js';
import { crawlParams, OF_CRAWL } from '../../../../shared/reads/crawls/findings/of-crawl.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../../../shared/store/client.js';

/** Ids of a website's crawls with stored rows. @throws as ClickHouseReader.read */
export async function readStoredCrawls(reader: ClickHouseReader, websiteId: string): Promise<string[]> {
  const rows = await reader.read({
    name: 'crawl.stored',
    sql: 'SELECT DISTINCT crawl_id FROM crawl_pages WHERE website_id = {website_id: String}',
    params: { website_id: websiteId },
    row: z.object({ crawl_id: z.string() }),
  });
  return rows.map(({ crawl_id }) => crawl_id);
}

/** Deletes the rows of a crawl, those of its pages last: they make the crawl known to the next run. The engine deletes in the background. */
export async function removeCrawlRows(writer: ClickHouseWriter, crawl: CrawlOf): Promise<void> {
  const params = crawlParams(crawl);
  await writer.command(`ALTER TABLE crawl_links DELETE WHERE ${OF_CRAWL}`, params);
  await writer.command(`ALTER TABLE crawl_findings DELETE WHERE ${OF_CRAWL}`, params);
  await writer.command(`ALTER TABLE crawl_ranks DELETE WHERE ${OF_CRAWL}`, params);
  await writer.command(`ALTER TABLE crawl_pages DELETE WHERE ${OF_CRAWL}`, params);
}
