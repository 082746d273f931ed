import { createHash } from 'node:crypto';
import { z } from 'zod';
import { alertTypeNames, severities } from '../../alerts/alert.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { insertRows } from '../../store/insert-rows.js';
import { asIs, instant, number, storedFields, text } from '../../store/stored-fields.js';

/** Messages about alerts and exports: pending, sent and failed (services/jobs/notifications). */

/**
 * Kinds of messages:
 * - `email` and `webhook`: an alert, or the summary of an import, to a person or a program.
 * - `digest`: a day's alerts to a person.
 * - `export`: the end of an export, to a person.
 * - `imported`: an alert of imported logs, which is not sent by itself. It is `pending` until the messages of its summary are queued.
 */
export const deliveryChannels = ['email', 'digest', 'export', 'webhook', 'imported'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * `pending`: retried until it is `sent`. After a day of failures or a permanent refusal it is `dead`, and the operator can resend it.
 * `dropped`: it is no longer wanted.
 */
export const deliveryStatuses = ['pending', 'sent', 'dead', 'dropped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const delivery = storedFields(
  {
    websiteId: text,
    id: text,
    organisationId: text,
    channel: asIs(z.enum(deliveryChannels)),
    /** For e-mail a user's id, for webhooks an id of the URL, for `imported` ''. */
    target: text,
    /** For a digest an id of the day, for an export its id, for a summary an id of the import. */
    alertId: text,
    /** JSON. For `imported` the name of its summary, '' before it has one. */
    content: text,
    status: asIs(z.enum(deliveryStatuses)),
    /** Attempts since `queuedAt`. */
    attempts: number,
    /** Reason of the last failure or of dropping it; otherwise ''. */
    reason: text,
    /** Milliseconds since the epoch, like `nextAttemptAt`. */
    queuedAt: instant,
    nextAttemptAt: instant,
    revision: number,
  },
  { id: 'delivery_id' },
);
export type Delivery = Readonly<z.output<typeof delivery.row>>;

/** The identity of a message. */
type DeliveryKey = Pick<Delivery, 'websiteId' | 'channel' | 'target' | 'alertId'>;
export type NewDelivery = DeliveryKey & Pick<Delivery, 'organisationId' | 'content'>;

/** Deterministic: the same message has the same id. */
export function deliveryIdOf({ websiteId, channel, target, alertId }: DeliveryKey): string {
  const key = [websiteId, channel, target, alertId].join('\n');
  return createHash('sha256').update(key).digest('hex').slice(0, 24);
}

/**
 * Queues messages. A message that exists already, in any status, is unchanged.
 * @param now milliseconds since the epoch. @throws as `ClickHouseWriter.insert`
 */
export async function queueDeliveries(
  writer: ClickHouseWriter,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  const fresh = { status: 'pending', attempts: 0, reason: '', queuedAt: now, nextAttemptAt: now } as const;
  await insertDeliveries(
    writer,
    deliveries.map((each) => ({ ...each, ...fresh, id: deliveryIdOf(each), revision: 0 })),
  );
}

/** Writes the current state of deliveries, which replaces their earlier revisions. @throws as `ClickHouseWriter.insert` */
export async function insertDeliveries(
  writer: ClickHouseWriter,
  deliveries: readonly Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(delivery.toRow);
  const deduplicationToken = contentToken('notification_deliveries', rows);
  await insertRows(writer, { table: 'notification_deliveries', rows, deduplicationToken });
}

const dueRow = delivery.row.pick({ websiteId: true, id: true, organisationId: true, channel: true });
/** The fields of a message that decide the sending order. */
export type DueDelivery = Readonly<z.output<typeof dueRow>>;

/** Messages of a website in one read of one kind (e-mail; webhooks); more of them wait for the next read. */
const DUE_OF_WEBSITE = 20;
const DUE_OF_ORGANISATION = 200;
const MOST_DUE = 20_000;

/**
 * Due messages. Organisations alternate, and so do the websites of each; each website's oldest due message comes first. So a backlog of one
 * leaves room for all others.
 *
 * Messages are stored for weeks. So a few small columns select the messages that may be due, and only their last revisions are read. If two
 * revisions are last, a pending one wins: it is read again before it is sent (`readDelivery`). @throws as `ClickHouseReader.read`
 */
export function readDueDeliveries(reader: ClickHouseReader, now: number): Promise<DueDelivery[]> {
  const isDue = `channel != 'imported' AND status = 'pending' AND next_attempt_at <= fromUnixTimestamp64Milli({now: Int64}, 'UTC')`;
  const order = 'due_at, delivery_id';
  return reader.read({
    name: 'notifications.due',
    sql: `SELECT website_id AS websiteId, delivery_id AS id, organisation_id AS organisationId, channel
FROM (
  SELECT *, row_number() OVER (PARTITION BY organisation_id, is_web ORDER BY turn_of_website, ${order}) AS turn
  FROM (
    SELECT *, row_number() OVER (PARTITION BY website_id, is_web ORDER BY ${order}) AS turn_of_website
    FROM (
      SELECT website_id, delivery_id, any(organisation_id) AS organisation_id, any(channel) AS channel, channel = 'webhook' AS is_web,
        argMax((status = 'pending', next_attempt_at), (revision, status = 'pending')) AS newest, newest.2 AS due_at
      FROM notification_deliveries
      WHERE (website_id, delivery_id) IN (SELECT website_id, delivery_id FROM notification_deliveries WHERE ${isDue})
      GROUP BY website_id, delivery_id
      HAVING newest.1 AND due_at <= fromUnixTimestamp64Milli({now: Int64}, 'UTC')
    )
  )
  WHERE turn_of_website <= {of_website: UInt32}
)
WHERE turn <= {of_organisation: UInt32}
ORDER BY turn, ${order}
LIMIT {most: UInt32}`,
    params: { now, of_website: DUE_OF_WEBSITE, of_organisation: DUE_OF_ORGANISATION, most: MOST_DUE },
    row: dueRow,
  });
}

/** The current state of a message; null if unknown. @throws as `ClickHouseReader.read` */
export async function readDelivery(
  reader: ClickHouseReader,
  { websiteId, id }: Pick<Delivery, 'websiteId' | 'id'>,
): Promise<Delivery | null> {
  const [found] = await reader.read({
    name: 'notifications.one',
    sql: `SELECT ${delivery.columns()}
FROM notification_deliveries FINAL
WHERE website_id = {website_id: String} AND delivery_id = {id: String}`,
    params: { website_id: websiteId, id },
    row: delivery.row,
    caughtUpWith: ['notification_deliveries'],
  });
  return found ?? null;
}

/** Websites with alerts of imported logs that wait for their summary. @throws as `ClickHouseReader.read` */
export async function readImportingWebsites(reader: ClickHouseReader): Promise<string[]> {
  const rows = await reader.read({
    name: 'notifications.importing',
    sql: `SELECT DISTINCT website_id AS websiteId
FROM (
  SELECT website_id, argMax(status, revision) AS newest
  FROM notification_deliveries WHERE channel = 'imported'
  GROUP BY website_id, delivery_id
  HAVING newest = 'pending'
)`,
    params: {},
    row: z.object({ websiteId: z.string() }),
  });
  return rows.map(({ websiteId }) => websiteId);
}

/** Alerts of one summary; further alerts get another summary. */
const MOST_IMPORTED = 5_000;

/** A website's alerts of imported logs that wait for their summary, in the order of queueing. @throws as `ClickHouseReader.read` */
export function readWaitingImported(reader: ClickHouseReader, websiteId: string): Promise<Delivery[]> {
  return reader.read({
    name: 'notifications.imported',
    sql: `SELECT ${delivery.columns()}
FROM notification_deliveries FINAL
WHERE website_id = {website_id: String} AND channel = 'imported' AND status = 'pending'
ORDER BY content = '', queued_at, alert_id
LIMIT {most: UInt32}`,
    params: { website_id: websiteId, most: MOST_IMPORTED },
    row: delivery.row,
    caughtUpWith: ['notification_deliveries'],
  });
}

const alertDeliveryRow = z.object({
  id: z.string(),
  channel: z.enum(deliveryChannels),
  target: z.string(),
  type: z.enum(alertTypeNames),
  severity: z.enum(severities),
});
/** The fields of a message about an alert that show its reported repeats; `type` and `severity` are those of the alert. */
export type AlertDelivery = Readonly<z.output<typeof alertDeliveryRow>>;

/**
 * Queued messages in any status, about alerts created in a period (milliseconds since the epoch, `to` excluded). @throws as
 * `ClickHouseReader.read`
 */
export function readAlertDeliveries(
  reader: ClickHouseReader,
  { websiteId, from, to }: { websiteId: string; from: number; to: number },
): Promise<AlertDelivery[]> {
  return reader.read({
    name: 'notifications.told',
    sql: `SELECT delivery_id AS id, channel, target, alert_type AS type, severity
FROM (SELECT delivery_id, channel, target, alert_id FROM notification_deliveries FINAL
  WHERE website_id = {website_id: String} AND alert_id >= {first: String} AND alert_id < {end: String}) AS told
INNER JOIN (SELECT alert_id, alert_type, severity FROM alerts FINAL
  WHERE website_id = {website_id: String} AND alert_id >= {first: String} AND alert_id < {end: String}
    AND alert_type IN {types: Array(String)}) AS alert USING (alert_id)`,
    params: {
      website_id: websiteId,
      // Ids of alerts begin with their creation time.
      first: new Date(from).toISOString(),
      end: new Date(to).toISOString(),
      // Excludes types that only a later release knows.
      types: alertTypeNames,
    },
    row: alertDeliveryRow,
    caughtUpWith: ['notification_deliveries', 'alerts'],
  });
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus;
  /** Absent: all websites. */
  readonly websiteId?: string | undefined;
  /** Absent: all messages. */
  readonly id?: string | undefined;
}

/** Newest first. @param most maximum messages. @throws as `ClickHouseReader.read` */
export function listDeliveries(
  reader: ClickHouseReader,
  { status, websiteId = '', id = '' }: DeliveryFilter,
  most: number,
): Promise<Delivery[]> {
  return reader.read({
    name: 'notifications.list',
    sql: `SELECT ${delivery.columns()}
FROM notification_deliveries FINAL
WHERE ({website_id: String} = '' OR website_id = {website_id: String})
  AND ({id: String} = '' OR delivery_id = {id: String}) AND status = {status: String}
ORDER BY queued_at DESC, delivery_id
LIMIT {most: UInt32}`,
    params: { status, website_id: websiteId, id, most },
    row: delivery.row,
  });
}
