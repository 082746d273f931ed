import { z } from 'zod';
import {
  type Alert,
  type AlertType,
  alertTypeNames,
  fingerprintOf,
  severities,
  subjectOf,
} from '../alerts/alert.js';
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
  details: z.string().transform(detailsOf),
  fingerprint: z.string(),
  created_at_ms: z.number(),
  last_seen_ms: z.number(),
  occurrences: z.number(),
});

const detailsForm = z.record(z.string(), z.unknown());

/** None where they are nothing that a row should hold: a reader of thousands must not fail at one. */
function detailsOf(text: string): Record<string, unknown> {
  try {
    return detailsForm.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Place in the order of last sights. */
export interface SightMark {
  readonly lastSeen: number;
  readonly websiteId: string;
  readonly alertId: string;
}

export interface SeenAlerts {
  /** By website (some hundred at most): what was seen later than this, milliseconds since the epoch. */
  readonly later: ReadonlyMap<string, number>;
  /** Behind this one; null: from the first on. */
  readonly after: SightMark | null;
  /** Most alerts of the answer. */
  readonly most: number;
  /** Default: all that this release knows. */
  readonly types?: readonly AlertType[];
}

/** Details have some kilobytes; of a row with more than this none are read, so that no row alone is too long for an answer. */
const MOST_DETAILS_BYTES = 1024 ** 2;

const LATER = `last_seen > fromUnixTimestamp64Milli(
    transform(toString(website_id), {website_ids: Array(String)}, {later: Array(Int64)}, toInt64(0)), 'UTC')
  AND (last_seen, website_id, alert_id) >
    (fromUnixTimestamp64Milli({seen_at: Int64}, 'UTC'), {seen_of: String}, {seen_id: String})`;

/**
 * Alerts of these websites, in the order of their last sight (then of website and id). Fewer than `most`: there are no more.
 * @throws as `ClickHouseReader.read`
 */
export async function readAlertsSeen(
  reader: ClickHouseReader,
  { later, after, most, types = alertTypeNames }: SeenAlerts,
): Promise<Alert[]> {
  if (later.size === 0) return [];
  const rows = await reader.read({
    name: 'alerts.seen',
    // Which they are is asked of short columns first: details of all that a website ever had are not read for its last ones.
    // A type or severity that a later release wrote is none of this one's.
    sql: `SELECT website_id, alert_id, alert_type, severity, message, fingerprint,
  if(length(alerts.details) > {most_bytes: UInt64}, '{}', alerts.details) AS details,
  toUnixTimestamp64Milli(created_at) AS created_at_ms, toUnixTimestamp64Milli(last_seen) AS last_seen_ms, occurrences
FROM alerts FINAL
WHERE website_id IN {website_ids: Array(String)} AND ${LATER}
  AND (website_id, alert_id) IN (
    SELECT website_id, alert_id FROM alerts WHERE website_id IN {website_ids: Array(String)} AND ${LATER}
  )
  AND alert_type IN {types: Array(String)} AND severity IN {severities: Array(String)}
ORDER BY last_seen, website_id, alert_id
LIMIT {most: UInt64}`,
    params: {
      website_ids: [...later.keys()],
      later: [...later.values()],
      seen_at: after?.lastSeen ?? 0,
      seen_of: after?.websiteId ?? '',
      seen_id: after?.alertId ?? '',
      most,
      most_bytes: MOST_DETAILS_BYTES,
      types,
      severities,
    },
    row,
    caughtUpWith: ['alerts'],
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
