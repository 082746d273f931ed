import { z } from 'zod';
import {
  type Alert,
  type AlertType,
  alertTypeNames,
  fingerprintOf,
  severities,
  subjectOf,
} from '../../alerts/alert.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { insertRows } from '../../store/insert-rows.js';
import { asIs, instant, number, type StoredField, storedFields, text } from '../../store/stored-fields.js';

/** Writes and reads the alerts of the detector and of the nightly checks, each with its own types. */

/** Details usually have some kilobytes. */
const MOST_DETAILS_BYTES = 1024 ** 2;

const details: StoredField<Readonly<Record<string, unknown>>> = {
  // Empty if the text is not an object: one row must not fail a reader of thousands.
  type: z.string().transform((text) => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      return {};
    }
  }),
  // Details above MOST_DETAILS_BYTES are not read, so that no single row exceeds the limit of an answer.
  sql: (column) => `if(length(${column}) > ${MOST_DETAILS_BYTES}, '{}', ${column})`,
  write: (value) => JSON.stringify(value),
};

const alert = storedFields(
  {
    websiteId: text,
    alertId: text,
    type: asIs(z.enum(alertTypeNames)),
    severity: asIs(z.enum(severities)),
    message: text,
    details,
    fingerprint: text,
    createdAt: instant,
    lastSeen: instant,
    occurrences: number,
  },
  { type: 'alert_type' },
);

/**
 * A row replaces an older row of the same alert; a repeated insert changes nothing.
 * @param writtenAt given if the rows may have been removed before, so that the engine does not drop them as a repeat. @throws as
 * `ClickHouseWriter.insert`
 */
export async function insertAlerts(
  writer: ClickHouseWriter,
  alerts: readonly Alert[],
  writtenAt = 0,
): Promise<void> {
  if (alerts.length === 0) return;
  const rows = alerts.map((one) => alert.toRow({ ...one, fingerprint: fingerprintOf(one) }));
  const [websiteId, ...others] = new Set(alerts.map((alert) => alert.websiteId));
  await insertRows(writer, {
    table: 'alerts',
    rows,
    deduplicationToken: contentToken('alerts', [writtenAt, ...rows]),
    ...(others.length === 0 && websiteId !== undefined && { websiteId }),
  });
}

/** Position in the order of last sights. */
export interface SightMark {
  readonly lastSeen: number;
  readonly websiteId: string;
  readonly alertId: string;
}

export interface SeenAlerts {
  /** By website (at most some hundred): only alerts seen after this, in milliseconds since the epoch. */
  readonly later: ReadonlyMap<string, number>;
  /** Start after this position; null: from the first. */
  readonly after: SightMark | null;
  /** Maximum alerts of the answer. */
  readonly most: number;
  /** Default: all types that this release knows. */
  readonly types?: readonly AlertType[];
}

const LATER = `last_seen > fromUnixTimestamp64Milli(
    transform(toString(website_id), {website_ids: Array(String)}, {later: Array(Int64)}, toInt64(0)), 'UTC')
  AND (last_seen, website_id, alert_id) >
    (fromUnixTimestamp64Milli({seen_at: Int64}, 'UTC'), {seen_of: String}, {seen_id: String})`;

/** Alerts of these websites, ordered by last sight, then website and id. Fewer than `most` means that no more exist. */
export async function readAlertsSeen(
  reader: ClickHouseReader,
  { later, after, most, types = alertTypeNames }: SeenAlerts,
): Promise<Alert[]> {
  if (later.size === 0) return [];
  const rows = await reader.read({
    name: 'alerts.seen',
    // Short columns select the alerts first, so that the details of the other alerts are not read. Excludes types and severities that only
    // a later release knows.
    sql: `SELECT ${alert.columns('alerts.')}
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
      types,
      severities,
    },
    row: alert.row,
    caughtUpWith: ['alerts'],
  });
  return rows.map(({ fingerprint, ...one }) => ({ ...one, subject: subjectOf({ ...one, fingerprint }) }));
}
