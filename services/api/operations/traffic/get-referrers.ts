import { z } from '@hono/zod-openapi';
import { referrers } from '../../../../shared/reads/traffic/referrers.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getReferrers = windowRead({
  id: 'getReferrers',
  tag: 'Traffic',
  path: '/referrers',
  summary: 'Where requests come from',
  description:
    'Requests by referring domain, most first, with search engines, AI assistants, social networks, known spam and the website itself told apart. Spam is what a public list of referrer spam names. An Android app is listed by its package. Requests without a referrer are in `by_class` as `direct`, not in the list.',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 100, description: 'Referrers in the answer.' }),
  }),
  segment: true,
  answer: referrers,
});
