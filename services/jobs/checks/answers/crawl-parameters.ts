import { defineCheck } from '../facts/check.js';
import { judgeShare } from './crawl-shares.js';

export const crawlParameters = defineCheck({
  id: 'crawl_parameters',
  title: 'Query parameters do not waste crawl budget',
  category: 'answers',
  weight: 5,
  needs: ['logs'],
  judge: ({ logs: { crawl } }) =>
    judgeShare(crawl, {
      requests: crawl.withQuery,
      what: 'were for addresses with a query string',
      why: 'Filters, sorting and tracking generate addresses without end. Exclude crawlers from the addresses that show no page of their own.',
      which: 'params_filter=with_params',
      warnPct: 30,
      failPct: 60,
    }),
});
