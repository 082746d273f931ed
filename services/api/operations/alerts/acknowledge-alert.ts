import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { alertExists } from '../../../../shared/queries/alerts.js';
import { websiteWrite } from '../../operation.js';

const NO_SUCH_ALERT = 'Alert not found.';

export const acknowledgeAlert = websiteWrite('post', {
  id: 'acknowledgeAlert',
  tag: 'Alerts',
  path: '/alerts/{alert_id}/acknowledge',
  summary: 'Acknowledge an alert',
  description: 'Somebody has seen it. To acknowledge it again changes nothing.',
  plans: 'starter',
  missing: NO_SUCH_ALERT,
  pathParameters: z.object({
    alert_id: z.string().max(200).openapi({
      description: 'As lists of alerts show it, percent-encoded: it holds a #.',
      example: '2026-11-21T09:00:00.000Z#4f2a9c',
    }),
  }),
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({ alert_id: z.string(), acknowledged: z.literal(true) }),
  async run({ alert_id }, { website, services, write }) {
    const alert = { websiteId: website.id, alertId: alert_id };
    if (!(await alertExists(services.reader, alert))) throw new PublicError('not_found', NO_SUCH_ALERT);
    await services.control.execute(
      { type: 'acknowledgeAlert', ...alert },
      write,
      `Alert ${alert_id} acknowledged`,
    );
    await services.projected();
    return { alert_id, acknowledged: true as const };
  },
});
