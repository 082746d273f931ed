import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { insertAlerts } from '../../../shared/reads/alerts/alert-writes.js';
import { command } from '../job-world.js';
import { alertOf } from './alert-of.js';
import type { JobKind } from './job-kind.js';
import { hasMessages, messagesOf } from './job-results.js';

export const digest: JobKind = {
  name: 'digest',
  async prepare({ cluster }, websites) {
    const createdAt = Date.now() - 3 * HOUR_MS;
    for (const { id } of websites) await insertAlerts(cluster.clickhouse, [alertOf(id, createdAt)]);
  },
  async begin(world, { id: websiteId }) {
    // Due in the past, so it is sent when the earlier alerts are stored.
    const digest_send_hour_utc = new Date(Date.now() - 10 * MINUTE_MS).getUTCHours();
    const settings = { digest_enabled: true, digest_send_hour_utc };
    await command(world, { type: 'changeAlertSettings', websiteId, ...settings });
  },
  hasBegun: hasMessages,
  done: { messages: ['digest sent, came'] },
  result: async (world, website) => ({ messages: await messagesOf(world, website) }),
};
