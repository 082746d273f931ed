import { z } from '@hono/zod-openapi';
import { type CrawlAuditInput, crawlAudit } from '../../../../shared/reads/crawls/crawl-audit.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { TAG } from './crawl.js';
import { crawlIdParameter, crawlOf } from './crawl-parameter.js';

export const getCrawlAudit = windowRead({
  id: 'getCrawlAudit',
  tag: TAG,
  path: '/crawl-audit',
  summary: 'Findings of a crawl',
  description:
    'Problems of the crawled pages, with the requests of verified search crawlers and people for each page. Pages with most crawler requests come first. Findings depend on the crawl alone. Filters narrow the counted requests; a segment also narrows the pages.',
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Rows per finding.' }),
  }),
  segment: true,
  answer: crawlAudit,
  input: ({ crawl_id, limit }, context): CrawlAuditInput => ({ crawl: crawlOf(context, crawl_id), limit }),
});
