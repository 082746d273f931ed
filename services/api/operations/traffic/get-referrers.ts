import { z } from '@hono/zod-openapi';
import { referrers } from '../../../../shared/reads/traffic/referrers.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getReferrers = windowRead({
  id: 'getReferrers',
  tag: 'Traffic',
  path: '/referrers',
  summary: 'Requests by referrer',
  description:
    'Requests by referring domain, most requests first, classified as search engine, AI assistant, social network, known spam or the website itself. A public list of referrer spam defines spam. An Android app is listed by its package. Requests without a referrer are in `by_class` as `direct`, not in the list.',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 100, description: 'Referrers in the answer.' }),
  }),
  segment: true,
  answer: referrers,
});
