import { column, pathText, percent, shareOf, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES, onBasis } from './finding.js';

const LEAST_PCT = 2;
const LEAST = 20;

export const notFound: Find = ({ crawl, recommendations }) => {
  const share = shareOf(crawl.notFound, crawl.requests);
  if (crawl.notFound < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'Crawling is spent on pages that are gone',
    figure: onBasis(
      crawl.basis,
      `${whole(crawl.notFound)} requests of search crawlers were answered 404: ${percent(share)} of all that they made.`,
    ),
    why: 'Each of them is a fetch that no living page got, and mostly a link that leads people nowhere too.',
    action:
      'Redirect what has a successor (301), mend the links and the sitemap entries that still name the rest, and answer 410 for what is gone for good.',
    read: 'GET /recommendations/paths-404',
    impact: impact(25 + share * 2.5, 80),
    examples: tableOrNone(
      'Pages not found that are asked for most, by whomever',
      [column('Page', 'path'), column('404', 'number')],
      (recommendations?.paths_404 ?? [])
        .slice(0, MOST_EXAMPLES)
        .map(({ path, request_count }) => [pathText(path), whole(request_count)]),
    ),
  };
};
