import type { CrawlOf } from './crawl-page.js';

/** SQL of a condition on the rows of a crawl. Its parameters are those of `crawlParams`, whose names are unique. */
export const OF_CRAWL = 'website_id = {crawl_website_id: String} AND crawl_id = {crawl_id: String}';

export function crawlParams({ websiteId, crawlId }: CrawlOf) {
  return { crawl_website_id: websiteId, crawl_id: crawlId };
}

/**
 * SQL of a rank among pages with one path, such as /a?x=1 and /a. The greatest represents the path: fetched, answered well, indexable,
 * shortest.
 * @param row alias of the row of crawl_pages, with its dot; '': none
 */
export function representativeRank(row: string): string {
  return `(${row}fetched_at > 0, ${row}status BETWEEN 200 AND 299, ${row}indexable, -length(${row}url), -toInt64(${row}page))`;
}
