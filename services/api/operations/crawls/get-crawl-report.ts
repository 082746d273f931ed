import { z } from '@hono/zod-openapi';
import { type CrawlReportInput, crawlReport } from '../../../../shared/reads/crawls/crawl-report.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { connectionFor } from '../search/connection.js';
import { TAG } from './crawl.js';
import { crawlIdParameter, crawlOf } from './crawl-parameter.js';

export const getCrawlReport = windowRead({
  id: 'getCrawlReport',
  tag: TAG,
  path: '/crawl-report',
  summary: 'A crawl against the logs',
  description:
    "Which pages of the site's crawl search crawlers fetch, which they ignore, and what they fetch that nothing links to. The logs are joined by path: pages that differ by their query string alone have the same hits, which count once in figures of several pages. Filters narrow the requests that are counted, and a segment narrows the pages as well.",
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: integerParameter({ min: 1, max: 1000, default: 200, description: 'Pages of each list.' }),
  }),
  segment: true,
  answer: crawlReport,
  input: ({ crawl_id, limit }, context): CrawlReportInput => ({
    crawl: crawlOf(context, crawl_id),
    connection: connectionFor(context),
    limit,
  }),
});
