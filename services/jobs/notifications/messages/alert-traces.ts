import { z } from 'zod';
import { alertTypeNames, severities, subjectOf } from '../../../../shared/alerts/alert.js';
import { inPieces } from '../../../../shared/pacing/in-pieces.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** Reads of a website's alerts for messages. */

const traceRow = z.object({
  alertId: z.string(),
  type: z.enum(alertTypeNames),
  severity: z.enum(severities),
  fingerprint: z.string(),
  /** Milliseconds since the epoch, as `lastSeen`. */
  createdAt: z.number(),
  lastSeen: z.number(),
  /** Its logs arrived long after their requests (services/jobs/notifications/messages/from-import.ts). */
  fromImport: z.boolean(),
});
const messageRow = traceRow.extend({ message: z.string() });

const FROM_IMPORT = `JSONExtractBool(details, 'from_import')`;
/** The same as `foundAt` of services/jobs/notifications/messages/from-import.ts. */
const FOUND_AT = `if(${FROM_IMPORT}, created_at + toIntervalHour(JSONExtractUInt(details, 'hours_old') + 1), created_at)`;
const TRACE = `alert_id AS alertId, alert_type AS type, severity, fingerprint, toUnixTimestamp64Milli(created_at) AS createdAt,
  toUnixTimestamp64Milli(last_seen) AS lastSeen, toBool(${FROM_IMPORT}) AS fromImport`;

/** The fields of an alert that identify its incident. */
export type AlertTrace = Readonly<Omit<z.output<typeof traceRow>, 'fingerprint'> & { subject: string }>;
export type MessageAlert = AlertTrace & { readonly message: string };

const toTrace = <Row extends z.output<typeof traceRow>>({ fingerprint, ...row }: Row) => ({
  ...row,
  subject: subjectOf({ ...row, fingerprint }),
});

/** In one statement. */
const FINGERPRINTS = 300;

/**
 * Alerts of these fingerprints that were seen since a moment, the oldest first.
 * @param since milliseconds since the epoch. @throws as `ClickHouseReader.read`
 */
export async function readAlertTraces(
  reader: ClickHouseReader,
  { websiteId, fingerprints, since }: { websiteId: string; fingerprints: readonly string[]; since: number },
): Promise<AlertTrace[]> {
  const traces: AlertTrace[] = [];
  for (const some of inPieces(fingerprints, FINGERPRINTS)) {
    const rows = await reader.read({
      name: 'notifications.traces',
      sql: `SELECT ${TRACE}
FROM alerts FINAL
WHERE website_id = {website_id: String} AND fingerprint IN ({fingerprints: Array(String)})
  AND last_seen >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
ORDER BY created_at, alert_id`,
      params: { website_id: websiteId, fingerprints: some, since },
      row: traceRow,
      caughtUpWith: ['alerts'],
    });
    traces.push(...rows.map((row) => toTrace(row)));
  }
  return traces.sort((one, other) => one.createdAt - other.createdAt);
}

/** For one website and day. A digest lists the most severe ones and counts the others. */
const MOST_OF_DAY = 5_000;

/**
 * Alerts that were found or seen again in a period (milliseconds since the epoch, `to` exclusive), the first found first. An imported alert counts when
 * its logs arrived, not when its requests were made.
 */
export async function readAlertsBetween(
  reader: ClickHouseReader,
  { websiteId, from, to }: { websiteId: string; from: number; to: number },
): Promise<MessageAlert[]> {
  const rows = await reader.read({
    name: 'notifications.digest',
    // Leaves out types that a later release wrote.
    sql: `SELECT ${TRACE}, message
FROM alerts FINAL
WHERE website_id = {website_id: String} AND greatest(last_seen, ${FOUND_AT}) >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
  AND ${FOUND_AT} < fromUnixTimestamp64Milli({to: Int64}, 'UTC') AND alert_type IN {types: Array(String)}
ORDER BY ${FOUND_AT}, alert_id
LIMIT {most: UInt32}`,
    params: { website_id: websiteId, from, to, most: MOST_OF_DAY, types: alertTypeNames },
    row: messageRow,
  });
  return rows.map(toTrace);
}

/** Alerts of a summary of imported logs (`readWaitingImported`), in any order. @throws as `ClickHouseReader.read` */
export async function readSummarised(
  reader: ClickHouseReader,
  { websiteId, summary }: { websiteId: string; summary: string },
): Promise<MessageAlert[]> {
  const rows = await reader.read({
    name: 'notifications.summarised',
    sql: `SELECT ${TRACE}, message
FROM alerts FINAL
WHERE website_id = {website_id: String} AND alert_type IN {types: Array(String)} AND alert_id IN (
  SELECT alert_id FROM notification_deliveries FINAL
  WHERE website_id = {website_id: String} AND channel = 'imported' AND status = 'pending' AND content = {summary: String}
)`,
    params: { website_id: websiteId, summary, types: alertTypeNames },
    row: messageRow,
    caughtUpWith: ['notification_deliveries', 'alerts'],
  });
  return rows.map(toTrace);
}
