import { z } from '@hono/zod-openapi';
import { crawlerRequestFilters, crawlerRequests } from '../../../../shared/answers/crawler-requests.js';
import { crawlerParameters, pageParameters } from '../../parameters.js';
import { windowRead } from '../window-read.js';

export const getCrawlerRequests = windowRead({
  id: 'getCrawlerRequests',
  tag: 'SEO crawlers',
  path: '/seo/requests',
  summary: 'Single requests of crawlers',
  description:
    'Requests of search crawlers (or of `bot`) by pages, newest first. They are read from the single requests: over very many the answer may say `data_buffering` true; repeat the same call and it returns the finished result.',
  plans: 'starter',
  parameters: z.object({
    ...crawlerParameters,
    filter_type: z.enum(crawlerRequestFilters).default('all').openapi({
      description:
        'all: but for proven impostors. verified: proved to be the crawler. unverified: not proved, proven impostors among them. 2xx to 5xx: answered with that class. slowest: slowest first, without requests whose source does not tell the time.',
    }),
    ...pageParameters(),
  }),
  segment: false,
  answer: crawlerRequests,
  raw: true,
});
