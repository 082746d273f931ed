import { type Alert, fingerprintOf } from '../../shared/alerts/alert.js';
import type { ClickHouseWriter } from '../../shared/clickhouse/client.js';

type Stored = Pick<Alert, 'websiteId' | 'alertId'> & Partial<Alert>;

const NINE = Date.parse('2026-11-21T09:00:00Z');

/** Stores an alert as a detector would; what is not given is an error rate of the whole website at nine. */
export async function insertAlert(writer: ClickHouseWriter, given: Stored): Promise<void> {
  const { websiteId, alertId, type = 'error_rate', severity = 'warning', subject = 'site' } = given;
  const { message = 'Errors', details = {}, createdAt = NINE, lastSeen = createdAt, occurrences = 1 } = given;
  const column = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
  const at = (instant: number) => new Date(instant).toISOString().replace('T', ' ').replace('Z', '');
  const values = [
    ...[websiteId, alertId, type, severity, message, JSON.stringify(details)].map(column),
    column(fingerprintOf({ type, severity, subject })),
    at(createdAt),
    at(lastSeen),
    String(occurrences),
  ];
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
    rows: Buffer.from(`${values.join('\t')}\n`),
    deduplicationToken: `alert/${websiteId}/${alertId}/${lastSeen}`,
  });
}
