import { percentOf } from '../../../../shared/reads/answer/figures.js';
import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';
import { unlessProved } from '../facts/unproved-crawl.js';

const LEAST_PAGES = 10;
const WARN_PCT = 2;
const FAIL_PCT = 10;

export const statusConsistencyCheck = defineCheck({
  id: 'status_consistency',
  title: 'Pages that search crawlers fetch again do not fail',
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
    const note = `In the last seven days, search crawlers fetched ${checked} pages at least three times. ${unsteady} of these pages failed too often: with server errors, or in at least half of the requests. Pages that always return 404 or 410 are not counted.`;
    if (share < WARN_PCT) return pass(note, seen);
    const why =
      'Such a page loses its place in the results. /seo/status-consistency lists these pages, the most urgent first.';
    return (share >= FAIL_PCT ? fail : warn)(`${note} ${why}`, { ...seen, examples: worst });
  },
});
