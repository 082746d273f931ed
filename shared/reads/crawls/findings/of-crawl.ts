import type { CrawlOf } from './crawl-page.js';

/** SQL that holds for rows of a crawl. Its parameters are those of `crawlParams`, and meet no others. */
export const OF_CRAWL = 'website_id = {crawl_website_id: String} AND crawl_id = {crawl_id: String}';

export function crawlParams({ websiteId, crawlId }: CrawlOf) {
  return { crawl_website_id: websiteId, crawl_id: crawlId };
}

/**
 * SQL of what of several pages with one path, as /a?x=1 and /a, stands for it, the greatest: one that was fetched, answers well, may be listed, and is shortest.
 * @param row alias of the row of crawl_pages, with its dot; '': none
 */
export function standsForPath(row: string): string {
  return `(${row}fetched_at > 0, ${row}status BETWEEN 200 AND 299, ${row}indexable, -length(${row}url), -toInt64(${row}page))`;
}
