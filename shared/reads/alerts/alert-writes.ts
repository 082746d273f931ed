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

/** Alerts as the detector and the nightly checks write them, each of types of its own, and read them back. */

/** Details have some kilobytes. */
const MOST_DETAILS_BYTES = 1024 ** 2;

const details: StoredField<Readonly<Record<string, unknown>>> = {
  // Nothing where they are no object: a reader of thousands must not fail at one.
  type: z.string().transform((text) => {
    try {
      return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    } catch {
      return {};
    }
  }),
  // Of a row with more than MOST_DETAILS_BYTES none are read, so that no row alone is too long for an answer.
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
 * A row replaces the one of the same alert that was seen earlier; a repeat changes nothing.
 * @param writtenAt given where the rows may have been removed before: the engine must not take them for a repeat. @throws as `ClickHouseWriter.insert`
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

const LATER = `last_seen > fromUnixTimestamp64Milli(
    transform(toString(website_id), {website_ids: Array(String)}, {later: Array(Int64)}, toInt64(0)), 'UTC')
  AND (last_seen, website_id, alert_id) >
    (fromUnixTimestamp64Milli({seen_at: Int64}, 'UTC'), {seen_of: String}, {seen_id: String})`;

/**
 * Alerts of these websites, in the order of their last sight (then of website and id). Fewer than `most`: there are no more.
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
