import { z } from '@hono/zod-openapi';
import { COUNTED_TEXT } from '../../../../shared/reads/bots/counted-crawlers.js';
import { IMPACT_TEXT, statusConsistency } from '../../../../shared/reads/seo/status-consistency.js';
import { crawlerParameters, integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getStatusConsistency = windowRead({
  id: 'getStatusConsistency',
  tag: 'SEO crawlers',
  path: '/seo/status-consistency',
  summary: 'Pages that do not always answer 2xx or 304',
  description: `Paths that search crawlers (or \`bot\`) did not always get with 2xx, the one to mend first at the top. A 304 is a status of 3xx, as on every read, and is not counted against a page: the copy that the crawler has is still valid. The order is that of \`impact_score\`: ${IMPACT_TEXT}. ${COUNTED_TEXT}`,
  plans: 'starter',
  parameters: z.object({
    ...crawlerParameters,
    min_requests: integerParameter({
      min: 1,
      max: 1_000_000,
      default: 3,
      description: 'Fewest requests of a page that is checked.',
    }),
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Pages in the list.' }),
  }),
  segment: false,
  answer: statusConsistency,
});
