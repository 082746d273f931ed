import type {
  CrawlLink,
  CrawlOf,
  CrawlPage,
  CrawlRank,
} from '../../../../shared/reads/crawls/findings/crawl-page.js';
import type { ClickHouseWriter } from '../../../../shared/store/client.js';
import { contentToken } from '../../../../shared/store/content-token.js';
import { dateTime64, insertRows, type RowValue } from '../../../../shared/store/insert-rows.js';
import { inSnakeCase } from '../../../../shared/store/stored-fields.js';

/** @param pages at least one, as in the other functions. Rows that are written again are stored once. @throws as ClickHouseWriter.insert */
export function writeCrawlPages(
  writer: ClickHouseWriter,
  crawl: CrawlOf,
  pages: readonly CrawlPage[],
): Promise<void> {
  const rows = pages.map(({ hreflangs, fetchedAt, ...page }) => ({
    ...inSnakeCase(page),
    hreflang_langs: hreflangs.map(({ lang }) => lang),
    hreflang_urls: hreflangs.map(({ url }) => url),
    fetched_at: dateTime64(fetchedAt),
  }));
  return insertOnce(writer, crawl, 'crawl_pages', rows);
}

export function writeCrawlLinks(
  writer: ClickHouseWriter,
  crawl: CrawlOf,
  links: readonly CrawlLink[],
): Promise<void> {
  const rows = links.map(({ from, to, ...link }) => ({ from_page: from, to_page: to, ...link }));
  return insertOnce(writer, crawl, 'crawl_links', rows);
}

export function writeCrawlRanks(
  writer: ClickHouseWriter,
  crawl: CrawlOf,
  ranks: readonly CrawlRank[],
): Promise<void> {
  const rows = ranks.map((rank) => ({ ...rank, depth: rank.depth ?? -1 }));
  return insertOnce(writer, crawl, 'crawl_ranks', rows);
}

/** The rows determine the token. Another attempt may know more about the same pages, so its rows must not count as a repeat. */
function insertOnce(
  writer: ClickHouseWriter,
  { websiteId, crawlId }: CrawlOf,
  table: string,
  own: readonly Readonly<Record<string, RowValue>>[],
): Promise<void> {
  const rows = own.map((row) => ({ website_id: websiteId, crawl_id: crawlId, ...row }));
  return insertRows(writer, { table, rows, deduplicationToken: contentToken(table, rows), websiteId });
}
