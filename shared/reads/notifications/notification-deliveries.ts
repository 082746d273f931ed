import { createHash } from 'node:crypto';
import { z } from 'zod';
import { alertTypeNames, severities } from '../../alerts/alert.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { contentToken } from '../../store/content-token.js';
import { insertRows } from '../../store/insert-rows.js';
import { asIs, instant, number, storedFields, text } from '../../store/stored-fields.js';

/** Messages about alerts and exports: what is to be sent, what was, and what could not be (services/jobs/notifications). */

/**
 * `email` and `webhook`: an alert, or the summary of an import, to a person or a program. `digest`: a day's alerts to a person. `export`: the end of an
 * export, to a person. `imported`: an alert of imported logs, which is not sent by itself. It is `pending` until the messages of its summary are queued.
 */
export const deliveryChannels = ['email', 'digest', 'export', 'webhook', 'imported'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * `pending`: it is tried until it is `sent`, or a day has passed, or it is refused for good: then it is `dead` and the operator may have it
 * sent again. `dropped`: nobody wants it any more.
 */
export const deliveryStatuses = ['pending', 'sent', 'dead', 'dropped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const delivery = storedFields(
  {
    websiteId: text,
    id: text,
    organisationId: text,
    channel: asIs(z.enum(deliveryChannels)),
    /** Of e-mail a user's id, of webhooks what stands for the URL, of `imported` ''. */
    target: text,
    /** Of a digest what stands for the day, of an export for it, of a summary for the import. */
    alertId: text,
    /** JSON. Of `imported` the name of its summary, '' before it has one. */
    content: text,
    status: asIs(z.enum(deliveryStatuses)),
    /** Made since `queuedAt`. */
    attempts: number,
    /** Of the last failure, or why it is dropped; ''. */
    reason: text,
    /** Milliseconds since the epoch, as `nextAttemptAt`. */
    queuedAt: instant,
    nextAttemptAt: instant,
    revision: number,
  },
  { id: 'delivery_id' },
);
export type Delivery = Readonly<z.output<typeof delivery.row>>;

/** What makes a message the one that it is. */
type DeliveryKey = Pick<Delivery, 'websiteId' | 'channel' | 'target' | 'alertId'>;
export type NewDelivery = DeliveryKey & Pick<Delivery, 'organisationId' | 'content'>;

/** The same for the same message, wherever and whenever it is worked out. */
export function deliveryIdOf({ websiteId, channel, target, alertId }: DeliveryKey): string {
  const key = [websiteId, channel, target, alertId].join('\n');
  return createHash('sha256').update(key).digest('hex').slice(0, 24);
}

/**
 * Puts messages in to be sent. One that is known already, in whatever state, stays as it is.
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

/** Writes how deliveries stand now, each in place of its earlier revisions. @throws as `ClickHouseWriter.insert` */
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
/** As much of a message as says whose turn it is. */
export type DueDelivery = Readonly<z.output<typeof dueRow>>;

/** Of one look and kind (e-mail; webhooks): who has more waits for the next. */
const DUE_OF_WEBSITE = 20;
const DUE_OF_ORGANISATION = 200;
const MOST_DUE = 20_000;

/**
 * What is to be sent by now. Organisations take turns, and websites within each, of each the longest due first: whoever has many waiting leaves
 * room for everybody else's.
 *
 * Messages are kept for weeks, so those that may be due are found by a few small columns, and only of these it is asked what their last revision says.
 * Where two are last, one that is to be sent counts: it is read again before it is (`readDelivery`). @throws as `ClickHouseReader.read`
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

/** How it stands now; null where it is not known. @throws as `ClickHouseReader.read` */
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

/** Of one summary: the others have one of their own. */
const MOST_IMPORTED = 5_000;

/** A website's alerts of imported logs that wait for their summary, the first put in first. @throws as `ClickHouseReader.read` */
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

const toldRow = z.object({
  id: z.string(),
  channel: z.enum(deliveryChannels),
  target: z.string(),
  type: z.enum(alertTypeNames),
  severity: z.enum(severities),
});
/** A message about an alert as far as it says how much was told; `type` and `severity` are its alert's. */
export type ToldDelivery = Readonly<z.output<typeof toldRow>>;

/**
 * What was put in, in whatever state it is, about alerts that were created from one moment to the other (milliseconds since the epoch, `to`
 * not in it). @throws as `ClickHouseReader.read`
 */
export function readToldDeliveries(
  reader: ClickHouseReader,
  { websiteId, from, to }: { websiteId: string; from: number; to: number },
): Promise<ToldDelivery[]> {
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
      // Ids of alerts begin with the instant of their creation.
      first: new Date(from).toISOString(),
      end: new Date(to).toISOString(),
      // A type that a later release wrote is none of this one's.
      types: alertTypeNames,
    },
    row: toldRow,
    caughtUpWith: ['notification_deliveries', 'alerts'],
  });
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus;
  /** Absent: of all websites. */
  readonly websiteId?: string | undefined;
  /** Absent: all of them. */
  readonly id?: string | undefined;
}

/** The newest first. @param most of them. @throws as `ClickHouseReader.read` */
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
