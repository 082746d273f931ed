import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { readAlertHead } from '../../../../shared/reads/alerts/alerts-sql.js';
import { incidentTitle } from '../../../../shared/reads/alerts/incidents.js';
import { websiteWrite } from '../../operation/operation.js';

const NO_SUCH_ALERT = 'Alert not found.';

export const acknowledgeAlert = websiteWrite('post', {
  id: 'acknowledgeAlert',
  tag: 'Alerts',
  path: '/alerts/{alert_id}/acknowledge',
  summary: 'Acknowledge an alert',
  description: 'Marks the alert as seen. A second call changes nothing.',
  plans: 'starter',
  missing: NO_SUCH_ALERT,
  pathParameters: z.object({
    alert_id: z.string().max(200).openapi({
      description: 'Id from a list of alerts, percent-encoded because it contains a #.',
      example: '2026-11-21T09:00:00.000Z#4f2a9c',
    }),
  }),
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({ alert_id: z.string(), acknowledged: z.literal(true) }),
  async run({ alert_id }, { website, services, write }) {
    const alert = { websiteId: website.id, alertId: alert_id };
    const found = await readAlertHead(services.reader, alert);
    if (found === null) throw new PublicError('not_found', NO_SUCH_ALERT);
    if (!found.acknowledged) {
      const title = `Alert acknowledged: ${incidentTitle(found)}`;
      await services.control.execute({ type: 'acknowledgeAlert', ...alert }, write, title);
      await services.waitForProjections();
    }
    return { alert_id, acknowledged: true as const };
  },
});
