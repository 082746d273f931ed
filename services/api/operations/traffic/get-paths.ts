import { z } from '@hono/zod-openapi';
import { paths } from '../../../../shared/reads/urls/paths.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getPaths = windowRead({
  id: 'getPaths',
  tag: 'Traffic',
  path: '/paths',
  summary: 'Requests by path',
  description:
    'Paths by requests, most requests first. Filters and `segment` need the single requests of the whole window. Over a long window the answer may have `data_buffering` true; repeat the same call to get the result.',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 1000, default: 100, description: 'Paths in the answer.' }),
  }),
  segment: true,
  answer: paths,
});
