import { column, pathText, percent, shareOf, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

const LEAST = 5;
const LEAST_PCT = 3;

export const ignoredPages: Find = ({ siteCrawl, seo }) => {
  if (siteCrawl === null || siteCrawl.summary === null) return null;
  // Where no search crawler came at all, another finding tells why.
  if (seo.verified_requests === 0) return null;
  const { ignored: all, ignored_but_claimed: claimed, indexable_pages } = siteCrawl.summary;
  // Claims that nothing proves may be fetches after all.
  const ignored = all - claimed;
  const share = shareOf(ignored, indexable_pages);
  if (ignored < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Linked pages are not fetched by search crawlers',
    figure: `${whole(ignored)} of ${whole(indexable_pages)} pages that the crawl of the site found, and that search engines may list, were fetched by no search crawler in the period: ${percent(share)}.`,
    why: 'A page that is not fetched is not listed, and one that is not fetched again is listed as it was.',
    action:
      'Link to them from pages that are fetched often, list them in the sitemap with the day of their last change, and remove what takes the crawlers’ time elsewhere.',
    read: 'GET /crawl-report',
    impact: impact(20 + share, 70),
    examples: tableOrNone(
      'Not fetched, most often shown in results and most linked first',
      [column('Page', 'path'), column('Linked from', 'number')],
      siteCrawl.ignored.slice(0, MOST_EXAMPLES).map(({ path, inlinks }) => [pathText(path), whole(inlinks)]),
    ),
  };
};
