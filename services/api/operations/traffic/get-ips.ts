import { z } from '@hono/zod-openapi';
import { ips } from '../../../../shared/reads/traffic/ips.js';
import { integerParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getIps = windowRead({
  id: 'getIps',
  tag: 'Traffic',
  path: '/ips',
  summary: 'Client addresses and address ranges',
  description:
    'Single addresses and networks of /24 (IPv4) and /48 (IPv6), most requests first. The networks reveal crawlers and scrapers that use many addresses.',
  parameters: z.object({
    limit: integerParameter({
      min: 1,
      max: 1000,
      default: 100,
      description: 'Addresses in the answer, and ranges.',
    }),
  }),
  segment: false,
  answer: ips,
});
