import { defineCheck } from '../facts/check.js';
import { judgeShare } from './crawl-shares.js';

export const crawlRedirects = defineCheck({
  id: 'crawl_redirects',
  title: 'Redirects do not waste crawl budget',
  category: 'answers',
  weight: 4,
  needs: ['logs'],
  judge: ({ logs: { crawl } }) =>
    judgeShare(crawl, {
      requests: crawl.redirected,
      what: 'were redirected',
      why: 'Each costs a fetch without a page. Link to the targets of the redirects.',
      which: 'filter_type=3xx',
      warnPct: 15,
      failPct: 40,
    }),
});
