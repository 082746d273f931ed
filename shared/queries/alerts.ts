import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

/** Alerts of a website (spec §2.4). */

const found = z.object({ alert_id: z.string() });

/** Whether the website has an alert of this id. */
export async function alertExists(
  reader: ClickHouseReader,
  { websiteId, alertId }: { websiteId: string; alertId: string },
): Promise<boolean> {
  const rows = await reader.read({
    name: 'alerts.exists',
    sql: `SELECT alert_id
FROM alerts
WHERE website_id = {website_id: String} AND alert_id = {alert_id: String}
LIMIT 1`,
    params: { website_id: websiteId, alert_id: alertId },
    row: found,
  });
  return rows.length > 0;
}
