import { z } from '@hono/zod-openapi';
import { crawlerParameters, integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { pathExplorer } from './path-explorer.js';

export const getPathExplorer = windowRead({
  id: 'getPathExplorer',
  tag: 'SEO crawlers',
  path: '/seo/path-explorer',
  summary: 'Paths by crawler and status',
  description:
    'Paths that search crawlers (or `bot`) fetch, most requests first, then by path. Each path has its requests by crawler and by status class. Proven impostors are not counted.',
  plans: 'starter',
  parameters: z.object({
    ...crawlerParameters,
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Paths in the answer.' }),
  }),
  segment: false,
  answer: pathExplorer,
});
