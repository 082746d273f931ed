import { percentOf } from '../../../../shared/answers/figures.js';
import { defineCheck, pass, unknown, warn } from '../check.js';

const LEAST = 50;
const WARN_PCT = 20;

export const fakeCrawlers = defineCheck({
  id: 'fake_crawlers',
  title: 'Few impostors claim to be search crawlers',
  category: 'bots',
  weight: 4,
  needs: ['logs'],
  judge({ logs: { crawl } }) {
    const claims = crawl.requests + crawl.spoofed;
    if (claims < LEAST)
      return unknown(`Fewer than ${LEAST} requests claimed to be of a search crawler in seven days.`, {
        claims,
      });
    const share = percentOf(crawl.spoofed, claims);
    const seen = { claims, spoofed: crawl.spoofed, spoofed_pct: share };
    const note = `${share} % of what claimed to be a search crawler in seven days was proved not to be.`;
    if (share < WARN_PCT) return pass(note, seen);
    return warn(
      `${note} Impostors take capacity, and reports that believe user agents count them as crawls.`,
      {
        ...seen,
        advisories: [
          'Turn away the addresses that /recommendations lists, not the name: that would meet the real crawler.',
        ],
      },
    );
  },
});
