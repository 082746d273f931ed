import type { ClickHouseWriter } from '../../shared/clickhouse/client.js';

/** Stores an alert as a detector would. */
export async function insertAlert(
  writer: ClickHouseWriter,
  { websiteId, alertId }: { websiteId: string; alertId: string },
): Promise<void> {
  const values = [websiteId, alertId, 'error_rate', 'warning', 'Errors', '{}', 'error_rate|warning|site'];
  const at = '2026-11-21 09:00:00.000';
  await writer.insert({
    table: 'alerts',
    columns: [
      'website_id',
      'alert_id',
      'alert_type',
      'severity',
      'message',
      'details',
      'fingerprint',
      'created_at',
      'last_seen',
      'occurrences',
    ],
    rows: Buffer.from(`${[...values, at, at, '1'].join('\t')}\n`),
    deduplicationToken: `alert/${websiteId}/${alertId}`,
  });
}
