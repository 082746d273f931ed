import { defineCheck } from '../facts/check.js';
import { judgeShare } from './crawl-shares.js';

export const crawlerServerErrors = defineCheck({
  id: 'crawler_server_errors',
  title: 'Search crawlers get no server errors',
  category: 'answers',
  weight: 9,
  needs: ['logs'],
  judge: ({ logs: { crawl } }) =>
    judgeShare(crawl, {
      requests: crawl.serverErrors,
      what: 'were answered with a server error (5xx)',
      why: 'Search engines crawl less while errors last, and drop pages that keep failing.',
      which: 'filter_type=5xx',
      warnPct: 1,
      failPct: 5,
    }),
});
