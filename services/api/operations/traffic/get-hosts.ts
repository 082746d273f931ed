import { z } from '@hono/zod-openapi';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';
import { hosts } from './hosts.js';

export const getHosts = windowRead({
  id: 'getHosts',
  tag: 'Traffic',
  path: '/hosts',
  summary: 'Requests by host',
  description:
    'Requested host names (www, shop, blog), most requests first, with their clients and statuses. Reads of a window have the filter `host`.',
  parameters: z.object({
    limit: integerParameter({ min: 1, max: 500, default: 100, description: 'Hosts in the answer.' }),
  }),
  segment: false,
  answer: hosts,
  input: ({ limit }, { website }) => ({ limit, domain: website.domain }),
});
