import { column, pathText, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

const LEAST = 10;

export const orphanPages: Find = ({ siteCrawl }) => {
  if (siteCrawl === null || siteCrawl.summary === null) return null;
  const { orphans, pages_in_crawl } = siteCrawl.summary;
  if (orphans < LEAST) return null;
  return {
    title: 'Search crawlers fetch pages that nothing links to',
    figure: `${whole(orphans)} paths of pages were fetched by verified search crawlers and are linked from none of the ${whole(pages_in_crawl)} pages that the crawl of the site found.`,
    why: 'Crawlers know them from before, from a sitemap or from other websites. Each fetch of one is taken from a page that matters, or it matters and no visitor finds it.',
    action: 'Link to those that are wanted. Answer 410 or redirect for those that are not.',
    read: 'GET /crawl-report',
    impact: impact(10 + (100 * orphans) / (orphans + pages_in_crawl), 50),
    examples: tableOrNone(
      'Fetched most, linked from nowhere',
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
