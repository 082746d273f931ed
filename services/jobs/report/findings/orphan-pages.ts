import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, pathText, tableOrNone, whole } from '../model/texts.js';

const LEAST = 10;

export const orphanPages: Find = ({ siteCrawl }) => {
  if (siteCrawl === null || siteCrawl.summary === null) return null;
  const { orphans, pages_in_crawl } = siteCrawl.summary;
  if (orphans < LEAST) return null;
  return {
    title: 'Search crawlers fetch pages that nothing links to',
    figure: `Verified search crawlers fetched ${whole(orphans)} pages that none of the ${whole(pages_in_crawl)} pages in the site crawl links to.`,
    why: 'Crawlers know these pages from sitemaps, other websites or earlier links. If a page matters, visitors cannot find it; if it does not, its crawling is wasted.',
    action: 'Link to the pages that you want. Redirect the others or return 410.',
    read: 'GET /crawl-report',
    impact: impact(10 + (100 * orphans) / (orphans + pages_in_crawl), 50),
    examples: tableOrNone(
      'Pages without links that are fetched most',
      [column('Page', 'path'), column('Fetches', 'number'), column('Last status', 'number')],
      siteCrawl.orphans
        .slice(0, MOST_EXAMPLES)
        .map(({ path, search_hits, last_status }) => [
          pathText(path),
          whole(search_hits),
          String(last_status),
        ]),
    ),
  };
};
