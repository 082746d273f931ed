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
  summary: 'Comparison of a crawl with the logs',
  description:
    'Crawled pages that search crawlers fetch, pages that they ignore, and unlinked pages that they fetch. The logs are joined by path: pages that differ only in their query string share the same hits. Figures over several pages count these hits once. Filters narrow the counted requests; a segment also narrows the pages.',
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: integerParameter({ min: 1, max: 1000, default: 200, description: 'Pages per list.' }),
  }),
  segment: true,
  answer: crawlReport,
  input: ({ crawl_id, limit }, context): CrawlReportInput => ({
    crawl: crawlOf(context, crawl_id),
    connection: connectionFor(context),
    limit,
  }),
});
