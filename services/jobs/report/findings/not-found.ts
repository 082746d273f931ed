import { type Find, impact, MOST_EXAMPLES, onBasis, requestsRead } from '../model/finding.js';
import { column, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST_PCT = 2;
const LEAST = 20;

export const notFound: Find = ({ crawl, crawlersMet }) => {
  const share = shareOf(crawl.notFound, crawl.requests);
  if (crawl.notFound < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Search crawlers request pages that do not exist',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.notFound)} requests from search crawlers returned 404. That is ${percent(share)} of their requests.`,
    ),
    why: 'Each of these requests is lost to pages that exist. Links to missing pages also lead visitors nowhere.',
    action:
      'Redirect pages that have a successor (301). Correct links and sitemap entries that name the others, and return 410 for pages that are gone for good.',
    read: requestsRead(crawl.basis, 'status=404'),
    impact: impact(25 + share * 2.5, 80),
    examples: tableOrNone(
      'Missing pages that search crawlers request most',
      [column('Page', 'path'), column('404', 'number')],
      crawlersMet.notFoundPaths
        .slice(0, MOST_EXAMPLES)
        .map(({ path, requests }) => [pathText(path), whole(requests)]),
    ),
  };
};
