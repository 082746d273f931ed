import { type Find, impact, MOST_EXAMPLES, onBasis } from '../model/finding.js';
import { column, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 20;
const LEAST_PCT = 5;

export const aiErrors: Find = ({ aiPages: { basis, pages } }) => {
  const failed = pages.map((page) => ({ ...page, errors: page.status_4xx + page.status_5xx }));
  const requests = failed.reduce((sum, page) => sum + page.requests, 0);
  const errors = failed.reduce((sum, page) => sum + page.errors, 0);
  const share = shareOf(errors, requests);
  if (errors < LEAST || share < LEAST_PCT) return null;
  return {
    title: 'AI crawlers get errors on the pages that they request most',
    figure: onBasis(
      basis,
      `${percent(share)} of the requests for the ${whole(pages.length)} pages that AI crawlers request most returned an error (4xx or 5xx).`,
      'an AI crawler',
    ),
    why: 'An assistant cannot cite a page that returns an error.',
    action:
      'Redirect pages that moved, repair server errors, and check whether the firewall blocks these crawlers.',
    read: 'GET /llms',
    impact: impact(20 + share / 2, 50),
    examples: tableOrNone(
      'Pages with the most errors for AI crawlers',
      [column('Page', 'path'), column('Errors', 'number'), column('Requests', 'number')],
      failed
        .filter((page) => page.errors > 0)
        .toSorted((one, other) => other.errors - one.errors)
        .slice(0, MOST_EXAMPLES)
        .map((page) => [pathText(page.path), whole(page.errors), whole(page.requests)]),
    ),
  };
};
