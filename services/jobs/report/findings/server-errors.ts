import { type Find, impact, MOST_EXAMPLES, onBasis, requestsRead } from '../model/finding.js';
import { column, counted, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST_PCT = 0.2;
const LEAST = 5;

export const serverErrors: Find = ({ crawl, consistency }) => {
  const share = shareOf(crawl.serverErrors, crawl.requests);
  if (crawl.serverErrors < LEAST || share < LEAST_PCT) return null;
  const pages = (consistency?.pages ?? [])
    .filter(({ status_5xx }) => status_5xx > 0)
    .toSorted((one, other) => other.status_5xx - one.status_5xx);
  return {
    title: 'Search crawlers get server errors',
    figure: onBasis(
      crawl.basis,
      `${counted(crawl.serverErrors, 'request', 'requests')} from search crawlers returned a server error (5xx): ${percent(share)} of ${whole(crawl.requests)}.`,
    ),
    why: 'Search engines crawl more slowly when a server fails, and drop pages that keep failing.',
    action:
      'Look for the cause in the server’s error log, starting with the most requested pages. If the server is overloaded, return 503 with Retry-After.',
    read: requestsRead(crawl.basis, 'filter_type=5xx'),
    impact: impact(55 + share * 8),
    examples: tableOrNone(
      'Pages with the most server errors',
      [column('Page', 'path'), column('5xx', 'number'), column('Requests', 'number')],
      pages
        .slice(0, MOST_EXAMPLES)
        .map(({ path, status_5xx, total_requests }) => [
          pathText(path),
          whole(status_5xx),
          whole(total_requests),
        ]),
    ),
  };
};
