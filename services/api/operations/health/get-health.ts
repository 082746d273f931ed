import { z } from '@hono/zod-openapi';
import { health } from '../../../../shared/reads/health/health.js';
import { websiteRead } from '../../operation/operation.js';

export const getHealth = websiteRead({
  id: 'getHealth',
  tag: 'Health',
  path: '/health',
  summary: 'Current health of the website',
  description:
    'Each metric in the newest finished interval of five minutes, compared with its baseline for that hour of the week. One abnormal interval makes no alert: rules check longer windows or several intervals in a row. `active_alerts` lists the alerts of these rules. Takes no window.',
  query: z.object({}),
  answer: health.schema,
  run: (_input, context) =>
    health.read(context.services.reader, { websiteId: context.website.id, now: context.now }, {}),
});
