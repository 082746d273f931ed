import { type Find, impact, MOST_EXAMPLES, onBasis } from '../model/finding.js';
import { column, counted, pathText, shareOf, tableOrNone, whole } from '../model/texts.js';

export const unsteadyPages: Find = ({ consistency, crawl }) => {
  if (consistency === null || consistency.summary.unsteady === 0) return null;
  const { unsteady, total_pages_checked: checked } = consistency.summary;
  return {
    title: 'Pages fail for search crawlers again and again',
    figure: onBasis(
      consistency.crawl_basis,
      `${whole(unsteady)} of ${counted(checked, 'page', 'pages')} that search crawlers requested at least three times in the period returned errors too often. Pages that always return 404 or 410 are not counted.`,
    ),
    why: 'Search engines may drop a page from the index when it fails again and again.',
    action: 'Start with the pages at the top. They are requested most and failed most recently.',
    read: 'GET /seo/status-consistency',
    impact: impact(30 + shareOf(unsteady, checked), 75),
    examples: tableOrNone(
      'Pages to repair first',
      [column('Page', 'path'), column('Responses'), column('Requests', 'number')],
      crawl.consistency.worst.slice(0, MOST_EXAMPLES).map(({ path, statuses }) => [
        pathText(path),
        Object.entries(statuses)
          .map(([status, requests]) => `${status} × ${whole(requests)}`)
          .join(', '),
        whole(Object.values(statuses).reduce((sum, requests) => sum + requests, 0)),
      ]),
    ),
  };
};
