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
      what: 'were for missing pages (404)',
      why: 'A few are normal. Many show that links, sitemaps or a move of pages have dead ends.',
      which: 'status=404',
      warnPct: 10,
      failPct: 30,
    }),
});
