import { z } from '@hono/zod-openapi';
import { health } from '../../../../shared/reads/health/health.js';
import { websiteRead } from '../../operation/operation.js';

export const getHealth = websiteRead({
  id: 'getHealth',
  tag: 'Health',
  path: '/health',
  summary: 'How the website is right now',
  description:
    'Each metric in the newest interval of five minutes that is over, held against what is usual at that hour of the week. One interval that strays is no alert: rules look at longer windows and at several in a row. What they found is in `active_alerts`. Takes no window.',
  query: z.object({}),
  answer: health.schema,
  run: (_input, context) =>
    health.read(context.services.reader, { websiteId: context.website.id, now: context.now }, {}),
});
