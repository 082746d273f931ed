import { column, counted, pathText, shareOf, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES, onBasis } from './finding.js';

export const unsteadyPages: Find = ({ consistency }) => {
  if (consistency === null || consistency.summary.unsteady === 0) return null;
  const { unsteady, total_pages_checked: checked } = consistency.summary;
  return {
    title: 'Pages fail when crawlers come back',
    figure: onBasis(
      consistency.crawl_basis,
      `${whole(unsteady)} of ${counted(checked, 'page', 'pages')} that search crawlers fetched three times or more were answered with errors too often, pages that are steadily gone (404, 410) not counted.`,
    ),
    why: 'A page that now answers and now fails loses its place in the index: the crawler believes the last answer.',
    action: 'Mend those at the top first: they are the most requested, and failed most recently.',
    read: 'GET /seo/status-consistency',
    impact: impact(30 + shareOf(unsteady, checked), 75),
    examples: tableOrNone(
      'The pages to mend first',
      [column('Page', 'path'), column('Answers'), column('Requests', 'number')],
      consistency.pages.slice(0, MOST_EXAMPLES).map(({ path, statuses, total_requests }) => [
        pathText(path),
        Object.entries(statuses)
          .map(([status, requests]) => `${status} × ${whole(requests)}`)
          .join(', '),
        whole(total_requests),
      ]),
    ),
  };
};
