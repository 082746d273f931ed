import { z } from 'zod';
import { alertTypeNames, alertTypes, severities, subjectOf } from '../../alerts/alert.js';
import { clearWindowOf } from '../../alerts/windows.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type Clause, combine } from '../sql/clause.js';
import type { GroupedAlert } from './incidents.js';

/**
 * Alerts of a website (spec §2.4), newest first. Rows are sorted by id. An id begins with the creation time, so the order is the same. An
 * id's type, severity and fingerprint never change; rows of one alert differ only in merged fields.
 */

const headRow = z.object({
  alertId: z.string(),
  type: z.string(),
  severity: z.enum(severities),
  fingerprint: z.string(),
  createdAt: z.number(),
  lastSeen: z.number(),
  acknowledged: z.boolean(),
});
const head = headRow.transform((row): GroupedAlert => ({ ...row, subject: subjectOf(row) }));

const alertRow = headRow.extend({
  message: z.string(),
  /** A JSON object. */
  details: z.string(),
  occurrences: z.number(),
  /** Milliseconds since the epoch; 0: not acknowledged. */
  acknowledgedAt: z.number(),
  /** The actor; '' if it is not acknowledged. */
  acknowledgedBy: z.string(),
});
export type AlertRow = z.infer<typeof alertRow>;

const acknowledgedIds =
  '(SELECT alert_id FROM alert_acknowledgements WHERE website_id = {website_id: String})';

const headColumns = `alert_id AS alertId, alert_type AS type, severity, fingerprint, toUnixTimestamp64Milli(created_at) AS createdAt,
  toUnixTimestamp64Milli(last_seen) AS lastSeen, toBool(alert_id IN ${acknowledgedIds}) AS acknowledged`;

/** The fields that decide an alert's incident; null if the website has no alert with this id. */
export async function readAlertHead(
  reader: ClickHouseReader,
  { websiteId, alertId }: { websiteId: string; alertId: string },
): Promise<GroupedAlert | null> {
  const [found] = await reader.read({
    name: 'alerts.one',
    sql: `SELECT ${headColumns}
FROM alerts FINAL
WHERE website_id = {website_id: String} AND alert_id = {alert_id: String}`,
    params: { website_id: websiteId, alert_id: alertId },
    row: head,
  });
  return found ?? null;
}

/** Conditions on a website's alerts; an absent field matches all. */
export interface AlertFilter {
  readonly type?: string | undefined;
  readonly acknowledged?: boolean | undefined;
  readonly selection?: AlertSelection | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Alerts that were created in a period and existed at a given moment (services/api/operations/alerts/selection-version.ts). */
export interface AlertSelection {
  /** Milliseconds since the epoch; `end` is excluded. */
  readonly start: number;
  readonly end: number;
  /** The newest alerts of the selection: see {@link readNewestOfWindow}. Absent: all that exist now. */
  readonly newest?: { readonly boundary: string; readonly hashes: readonly number[] } | undefined;
}

const HASH = 'toUInt32(cityHash64(alert_id))';

function conditionOf(websiteId: string, { type, acknowledged, selection, ids }: AlertFilter): Clause {
  const newest = selection?.newest;
  return combine([
    { sql: 'website_id = {website_id: String}', params: { website_id: websiteId } },
    type === undefined ? null : { sql: 'alert_type = {type: String}', params: { type } },
    acknowledged === undefined
      ? null
      : { sql: `alert_id ${acknowledged ? 'IN' : 'NOT IN'} ${acknowledgedIds}`, params: {} },
    selection === undefined
      ? null
      : {
          sql: 'alert_id >= {from: String} AND alert_id < {before: String}',
          params: {
            from: new Date(selection.start).toISOString(),
            before: new Date(selection.end).toISOString(),
          },
        },
    newest === undefined
      ? null
      : {
          sql: `(alert_id < {boundary: String} OR has({hashes: Array(UInt32)}, ${HASH}))`,
          params: { boundary: newest.boundary, hashes: newest.hashes },
        },
    ids === undefined ? null : { sql: 'alert_id IN {ids: Array(String)}', params: { ids } },
  ]);
}

/** The slice of the list: `limit` alerts after the first `offset`. */
interface Slice {
  readonly limit: number;
  readonly offset?: number;
}

/** All fields of the alerts. The ids are found first, so that messages and details of other alerts are not read. */
export function readAlerts(
  reader: ClickHouseReader,
  websiteId: string,
  filter: AlertFilter,
  { limit, offset = 0 }: Slice,
): Promise<AlertRow[]> {
  const { sql, params } = conditionOf(websiteId, filter);
  return reader.read({
    name: 'alerts.list',
    sql: `SELECT ${headColumns}, message, details, occurrences,
  toUnixTimestamp64Milli(seenAt) AS acknowledgedAt, seenBy AS acknowledgedBy
FROM alerts FINAL LEFT JOIN (
  SELECT alert_id, min(acknowledged_at) AS seenAt, argMin(acknowledged_by, (acknowledged_at, log_offset)) AS seenBy
  FROM alert_acknowledgements
  WHERE website_id = {website_id: String}
  GROUP BY alert_id
) AS seen USING alert_id
WHERE website_id = {website_id: String} AND alert_id IN (
  SELECT DISTINCT alert_id FROM alerts
  WHERE ${sql}
  ORDER BY alert_id DESC
  LIMIT {limit: UInt32} OFFSET {offset: UInt32}
)
ORDER BY alert_id DESC`,
    params: { ...params, limit, offset },
    row: alertRow,
  });
}

/** The fields that decide incidents, for the newest alerts. */
export function readAlertHeads(
  reader: ClickHouseReader,
  websiteId: string,
  filter: Pick<AlertFilter, 'type'>,
  { limit }: Slice,
): Promise<GroupedAlert[]> {
  const { sql, params } = conditionOf(websiteId, filter);
  return reader.read({
    name: 'alerts.heads',
    sql: `SELECT ${headColumns}
FROM alerts FINAL
WHERE ${sql}
ORDER BY alert_id DESC
LIMIT {limit: UInt32}`,
    params: { ...params, limit },
    row: head,
  });
}

/** Alerts that may still repeat at `now` (milliseconds since the epoch), created at any time: the most severe first, then the newest. */
export function readActiveAlerts(
  reader: ClickHouseReader,
  websiteId: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<GroupedAlert[]> {
  const nightly = alertTypeNames.filter((type) => 'nightly' in alertTypes[type]);
  const usual = alertTypeNames.find((type) => !nightly.includes(type))!;
  return reader.read({
    name: 'alerts.active',
    sql: `SELECT ${headColumns}
FROM alerts FINAL
WHERE website_id = {website_id: String} AND last_seen >= fromUnixTimestamp64Milli(
  if(alert_type IN {nightly: Array(String)}, {nightly_since: Int64}, {since: Int64}), 'UTC')
ORDER BY indexOf({severities: Array(String)}, severity) DESC, alert_id DESC
LIMIT {limit: UInt32}`,
    params: {
      website_id: websiteId,
      nightly,
      nightly_since: now - clearWindowOf(nightly[0] ?? usual, false),
      since: now - clearWindowOf(usual, false),
      severities: [...severities],
      limit,
    },
    row: head,
  });
}

export async function countAlerts(
  reader: ClickHouseReader,
  websiteId: string,
  filter: AlertFilter,
): Promise<number> {
  const { sql, params } = conditionOf(websiteId, filter);
  const [row] = await reader.read({
    name: 'alerts.count',
    sql: `SELECT uniqExact(alert_id) AS alerts FROM alerts WHERE ${sql}`,
    params,
    row: z.object({ alerts: z.number() }),
  });
  return row!.alerts;
}

/** Ids of the newest alerts of a window, each with the hash by which a selection can refer to it. */
export function readNewestOfWindow(
  reader: ClickHouseReader,
  websiteId: string,
  filter: AlertFilter,
  { limit }: Slice,
): Promise<{ alert_id: string; hash: number }[]> {
  const { sql, params } = conditionOf(websiteId, filter);
  return reader.read({
    name: 'alerts.newest_of_window',
    sql: `SELECT DISTINCT alert_id, ${HASH} AS hash
FROM alerts
WHERE ${sql}
ORDER BY alert_id DESC
LIMIT {limit: UInt32}`,
    params: { ...params, limit },
    row: z.object({ alert_id: z.string(), hash: z.number() }),
  });
}
