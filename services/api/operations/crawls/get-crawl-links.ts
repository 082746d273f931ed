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
  summary: 'Links between the pages of a crawl',
  description:
    'The crawled pages with the highest PageRank and the links between them, with the requests of crawlers and people for each page. Two lists show pages where links and crawlers disagree. `prefix` and `max_depth` have no effect: callers filter the nodes.',
  window: { defaultHours: 720 },
  parameters: z.object({
    crawl_id: crawlIdParameter,
    limit: clampedParameter({ min: 50, max: 3_000, default: 200, description: 'Nodes.' }),
  }),
  segment: true,
  answer: crawlLinks,
  input: ({ crawl_id, limit }, context): CrawlLinksInput => ({ crawl: crawlOf(context, crawl_id), limit }),
});
