import { showWebhookSecret } from '../../../deploy/admin/server/show-webhook-secret.js';
import { alertRecord } from '../../../shared/alerts/alert-codec.js';
import { insertAlerts } from '../../../shared/reads/alerts/alert-writes.js';
import { command } from '../job-world.js';
import { alertOf } from './alert-of.js';
import type { JobKind } from './job-kind.js';
import { hasMessages, messagesOf } from './job-results.js';

export const alerted: JobKind = {
  name: 'alert by e-mail and webhook',
  async prepare(world, websites) {
    for (const { id: websiteId } of websites) {
      const urls = { webhook_notifications_enabled: true, webhook_urls: ['https://hook.example/hook'] };
      await command(world, {
        ...{ type: 'changeAlertSettings', websiteId, email_notifications_enabled: true, ...urls },
      });
      await showWebhookSecret({ websiteId, isNew: false }, world);
    }
  },
  async begin(world, { id }) {
    const alert = alertOf(id, Date.now());
    await insertAlerts(world.cluster.clickhouse, [alert]);
    await world.log.append('alerts', [alertRecord(alert)]);
  },
  hasBegun: hasMessages,
  done: { messages: ['email sent, came', 'webhook sent, came'] },
  result: async (world, website) => ({ messages: await messagesOf(world, website) }),
};
