import { z } from '@hono/zod-openapi';
import { COUNTED_TEXT } from '../../../../shared/reads/bots/counted-crawlers.js';
import { IMPACT_TEXT, statusConsistency } from '../../../../shared/reads/seo/status-consistency.js';
import { crawlerParameters, integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getStatusConsistency = windowRead({
  id: 'getStatusConsistency',
  tag: 'SEO crawlers',
  path: '/seo/status-consistency',
  summary: 'Pages with inconsistent status',
  description: `Paths that did not always answer search crawlers (or \`bot\`) with 2xx, the most important first. A 304 belongs to 3xx, as in every read, but is no inconsistency: the crawler's copy is still valid. Pages are sorted by \`impact_score\`: ${IMPACT_TEXT}. ${COUNTED_TEXT}`,
  plans: 'starter',
  parameters: z.object({
    ...crawlerParameters,
    min_requests: integerParameter({
      min: 1,
      max: 1_000_000,
      default: 3,
      description: 'Least number of requests for a page to be checked.',
    }),
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Pages in the list.' }),
  }),
  segment: false,
  answer: statusConsistency,
});
