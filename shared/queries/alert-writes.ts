import { z } from 'zod';
import { type Alert, alertTypeNames, fingerprintOf, severities, subjectOf } from '../alerts/alert.js';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';

/** Alerts as the detector and the nightly checks write them, each of types of its own, and read them back. */

/** A row replaces the one of the same alert that was seen earlier; a repeat changes nothing. @throws as `ClickHouseWriter.insert` */
export async function insertAlerts(writer: ClickHouseWriter, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map((alert) => ({
    website_id: alert.websiteId,
    alert_id: alert.alertId,
    alert_type: alert.type,
    severity: alert.severity,
    message: alert.message,
    details: JSON.stringify(alert.details),
    fingerprint: fingerprintOf(alert),
    created_at: dateTime64(alert.createdAt),
    last_seen: dateTime64(alert.lastSeen),
    occurrences: alert.occurrences,
  }));
  const [websiteId, ...others] = new Set(alerts.map((alert) => alert.websiteId));
  await insertRows(writer, {
    table: 'alerts',
    rows,
    deduplicationToken: contentToken('alerts', rows),
    ...(others.length === 0 && websiteId !== undefined && { websiteId }),
  });
}

const row = z.object({
  website_id: z.string(),
  alert_id: z.string(),
  alert_type: z.enum(alertTypeNames),
  severity: z.enum(severities),
  message: z.string(),
  details: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
  fingerprint: z.string(),
  created_at_ms: z.number(),
  last_seen_ms: z.number(),
  occurrences: z.number(),
});

/**
 * The alerts of these websites (some hundred at most) that were seen at `since` or later, milliseconds since the epoch; in the order of
 * their last sight. @throws as `ClickHouseReader.read`
 */
export async function readAlertsSeenSince(
  reader: ClickHouseReader,
  { websiteIds, since }: { readonly websiteIds: readonly string[]; readonly since: number },
): Promise<Alert[]> {
  if (websiteIds.length === 0) return [];
  const rows = await reader.read({
    name: 'alerts.seen_since',
    // A type that a later release wrote is none of this one's.
    sql: `SELECT website_id, alert_id, alert_type, severity, message, details, fingerprint,
  toUnixTimestamp64Milli(created_at) AS created_at_ms, toUnixTimestamp64Milli(last_seen) AS last_seen_ms, occurrences
FROM alerts FINAL
WHERE website_id IN {website_ids: Array(String)} AND last_seen >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
  AND alert_type IN {types: Array(String)}
ORDER BY last_seen, alert_id`,
    params: { website_ids: websiteIds, since, types: alertTypeNames },
    row,
  });
  return rows.map((one) => ({
    websiteId: one.website_id,
    alertId: one.alert_id,
    type: one.alert_type,
    severity: one.severity,
    subject: subjectOf({ ...one, type: one.alert_type }),
    message: one.message,
    details: one.details,
    createdAt: one.created_at_ms,
    lastSeen: one.last_seen_ms,
    occurrences: one.occurrences,
  }));
}
