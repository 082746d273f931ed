import { z } from '@hono/zod-openapi';
import { websiteRead } from '../../operation/operation.js';
import { clampedParameter } from '../../operation/parameters.js';
import { checksHistory } from './checks-history.js';

export const getChecksHistory = websiteRead({
  id: 'getChecksHistory',
  tag: 'Checks',
  path: '/checks/history',
  summary: 'The nightly checks day by day',
  description:
    'Of each check and UTC day the last verdict, and what changed from one evaluated day to the next. Takes no window but `days`.',
  query: z.object({
    days: clampedParameter({ min: 1, max: 90, default: 30, description: 'UTC days, today included.' }),
  }),
  answer: checksHistory.schema,
  run: ({ days }, { website, now, services }) =>
    checksHistory.read(services.reader, { websiteId: website.id, now }, { days }),
});
