import { percentOf } from '../../../../shared/answers/figures.js';
import { defineCheck, fail, pass, unknown, warn } from '../check.js';
import { unlessProved } from '../unproved-crawl.js';

const LEAST_PAGES = 10;
const WARN_PCT = 2;
const FAIL_PCT = 10;

export const statusConsistencyCheck = defineCheck({
  id: 'status_consistency',
  title: 'Pages that search crawlers come back to do not fail',
  category: 'answers',
  weight: 5,
  needs: ['logs'],
  judge({ logs: { crawl } }) {
    const open = unlessProved(crawl);
    if (open !== null) return open;
    const { checked, unsteady, warning, worst } = crawl.consistency;
    if (checked < LEAST_PAGES)
      return unknown(`Search crawlers fetched fewer than ${LEAST_PAGES} pages three times in seven days.`, {
        pages: checked,
      });
    const share = percentOf(unsteady, checked);
    const seen = { pages: checked, unsteady, warning, unsteady_pct: share };
    const note = `${unsteady} of ${checked} pages that search crawlers fetched three times and more failed too often: with server errors, or with errors at one time and well at another. Pages that are steadily gone (404, 410) are not counted.`;
    if (share < WARN_PCT) return pass(note, seen);
    const why =
      'Such a page loses its place in the results. /seo/status-consistency lists them, the one to mend first at the top.';
    return (share >= FAIL_PCT ? fail : warn)(`${note} ${why}`, { ...seen, examples: worst });
  },
});
