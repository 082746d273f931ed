import { defineCheck } from '../facts/check.js';
import { judgeShare } from './crawl-shares.js';

export const crawlerNotFound = defineCheck({
  id: 'crawler_not_found',
  title: 'Search crawlers find the pages that they request',
  category: 'answers',
  weight: 5,
  needs: ['logs'],
  judge: ({ logs: { crawl } }) =>
    judgeShare(crawl, {
      requests: crawl.notFound,
      what: 'were for pages that are not there (404)',
      why: 'Some are always asked for; many say that links, sitemaps or a move leave dead ends.',
      which: 'status=404',
      warnPct: 10,
      failPct: 30,
    }),
});
