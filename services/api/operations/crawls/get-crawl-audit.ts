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
    "What is wrong with pages of the site's crawl, each page with how often verified search crawlers and people asked for it, so that what crawlers meet most comes first. What is found follows from the crawl alone; filters narrow the requests that are counted, and a segment narrows the pages as well.",
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Rows of each finding.' }),
  }),
  segment: true,
  answer: crawlAudit,
  input: ({ crawl_id, limit }, context): CrawlAuditInput => ({ crawl: crawlOf(context, crawl_id), limit }),
});
