import type { CrawlOf } from '../crawls/crawl-page.js';

/** SQL that holds for rows of a crawl. Its parameters are those of `crawlParams`, and meet no others. */
export const OF_CRAWL = 'website_id = {crawl_website_id: String} AND crawl_id = {crawl_id: String}';

export function crawlParams({ websiteId, crawlId }: CrawlOf) {
  return { crawl_website_id: websiteId, crawl_id: crawlId };
}
