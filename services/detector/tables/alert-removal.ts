import { alertTypeNames, alertTypes } from '../../../shared/alerts/alert.js';
import type { ClickHouseWriter } from '../../../shared/store/client.js';

const ofDetector = alertTypeNames.filter((type) => !('nightly' in alertTypes[type]));

/**
 * Removes the alerts of a website that the detector raised after a time, milliseconds since the epoch. The
 * website's intervals are evaluated again from there on.
 * @throws as `ClickHouseWriter.command`
 */
export async function removeAlertsSince(
  writer: ClickHouseWriter,
  { websiteId, since }: { readonly websiteId: string; readonly since: number },
): Promise<void> {
  await writer.command(
    `ALTER TABLE alerts DELETE WHERE website_id = {website_id: String} AND created_at > fromUnixTimestamp64Milli({since: Int64}, 'UTC')
  AND alert_type IN {types: Array(String)}`,
    { website_id: websiteId, since, types: ofDetector },
    { mutations_sync: 2 },
  );
}
