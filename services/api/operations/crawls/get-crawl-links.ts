import { z } from '@hono/zod-openapi';
import { clampedParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { TAG } from './crawl.js';
import { type CrawlLinksInput, crawlLinks } from './crawl-links.js';
import { crawlIdParameter, crawlOf } from './crawl-parameter.js';

export const getCrawlLinks = windowRead({
  id: 'getCrawlLinks',
  tag: TAG,
  path: '/crawl-links',
  summary: 'How the pages of a crawl link to each other',
  description:
    "The pages of the site's crawl with most PageRank and the links between them, each page with what crawlers and people asked for. Two lists show where links and crawlers disagree. Callers narrow the nodes themselves: `prefix` and `max_depth` have no effect.",
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: clampedParameter({ min: 50, max: 3_000, default: 200, description: 'Nodes.' }),
  }),
  segment: true,
  answer: crawlLinks,
  input: ({ crawl_id, limit }, context): CrawlLinksInput => ({ crawl: crawlOf(context, crawl_id), limit }),
});
