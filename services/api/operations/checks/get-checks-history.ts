import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { clampedParameter } from '../../operation/parameters.js';
import { checksHistory } from './checks-history.js';

export const getChecksHistory = websiteRead({
  id: 'getChecksHistory',
  tag: 'Checks',
  path: '/checks/history',
  summary: 'Nightly checks by day',
  description:
    'The last verdict of each check and UTC day, and the changes between evaluated days. `days` is the only window parameter.',
  query: z.object({
    days: clampedParameter({ min: 1, max: 90, default: 30, description: 'UTC days, including today.' }),
  }),
  answer: checksHistory.schema,
  run: ({ days }, { website, now, services }) =>
    checksHistory.read(services.reader, { websiteId: website.id, now }, { days }),
});
