import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 5;
const LEAST_PCT = 3;

export const ignoredPages: Find = ({ siteCrawl, seo }) => {
  if (siteCrawl === null || siteCrawl.summary === null) return null;
  // If no search crawler came at all, another finding reports it.
  if (seo.verified_requests === 0) return null;
  const { ignored: all, ignored_but_claimed: claimed, indexable_pages } = siteCrawl.summary;
  // Unverified claims may be real fetches.
  const ignored = all - claimed;
  const share = shareOf(ignored, indexable_pages);
  if (ignored < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers do not fetch some linked pages',
    figure: `${whole(ignored)} of ${whole(indexable_pages)} indexable pages in the site crawl were not fetched by any search crawler in the period: ${percent(share)}.`,
    why: 'Search engines cannot list a page that they never fetch, and do not see changes of a page that they do not fetch again.',
    action:
      'Link to these pages from pages that are fetched often, and list them in the sitemap with the date of the last change.',
    read: 'GET /crawl-report',
    impact: impact(20 + share, 70),
    examples: tableOrNone(
      'Not fetched: pages most shown in results and most linked first',
      [column('Page', 'path'), column('Linked from', 'number')],
      siteCrawl.ignored.slice(0, MOST_EXAMPLES).map(({ path, inlinks }) => [pathText(path), whole(inlinks)]),
    ),
  };
};
