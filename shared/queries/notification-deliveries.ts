import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type AlertType, alertTypeNames, type Severity, severities } from '../alerts/alert.js';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';

/** Messages about alerts and exports: what is to be sent, what was, and what could not be (services/jobs/notifications). */

/** `email`: an alert to a person; `digest`: a day's alerts to a person; `export`: to a person that a file is there, or never will be; `webhook`: an alert to a program. */
export const deliveryChannels = ['email', 'digest', 'export', 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * `pending`: it is tried until it is `sent`, or a day has passed, or it is refused for good: then it is `dead` and the operator may have it
 * sent again. `dropped`: nobody wants it any more.
 */
export const deliveryStatuses = ['pending', 'sent', 'dead', 'dropped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What makes a message the one that it is. */
interface DeliveryKey {
  readonly websiteId: string;
  readonly channel: DeliveryChannel;
  /** Of e-mail a user's id, of webhooks what stands for the URL. */
  readonly target: string;
  /** Of a digest what stands for the day, of an export for it. */
  readonly alertId: string;
}

export interface NewDelivery extends DeliveryKey {
  readonly organisationId: string;
  /** JSON. */
  readonly content: string;
}

export interface Delivery extends NewDelivery {
  readonly id: string;
  readonly status: DeliveryStatus;
  /** Made since `queuedAt`. */
  readonly attempts: number;
  /** Of the last failure, or why it is dropped; ''. */
  readonly reason: string;
  /** Milliseconds since the epoch, as `nextAttemptAt`. */
  readonly queuedAt: number;
  readonly nextAttemptAt: number;
  readonly revision: number;
}

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
  const rows = deliveries.map((each) => ({
    website_id: each.websiteId,
    delivery_id: each.id,
    organisation_id: each.organisationId,
    channel: each.channel,
    target: each.target,
    alert_id: each.alertId,
    content: each.content,
    status: each.status,
    attempts: each.attempts,
    reason: each.reason,
    queued_at: dateTime64(each.queuedAt),
    next_attempt_at: dateTime64(each.nextAttemptAt),
    revision: each.revision,
  }));
  const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  await insertRows(writer, {
    table: 'notification_deliveries',
    rows,
    deduplicationToken: `notification_deliveries/${digest}`,
  });
}

const dueRow = z.object({
  website_id: z.string(),
  delivery_id: z.string(),
  organisation_id: z.string(),
  channel: z.enum(deliveryChannels),
});

/** As much of a message as says whose turn it is. */
export interface DueDelivery {
  readonly websiteId: string;
  readonly id: string;
  readonly organisationId: string;
  readonly channel: DeliveryChannel;
}

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
export async function readDueDeliveries(reader: ClickHouseReader, now: number): Promise<DueDelivery[]> {
  const isDue = `status = 'pending' AND next_attempt_at <= fromUnixTimestamp64Milli({now: Int64}, 'UTC')`;
  const order = 'due_at, delivery_id';
  const rows = await reader.read({
    name: 'notifications.due',
    sql: `SELECT website_id, delivery_id, organisation_id, channel
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
  return rows.map(({ website_id, delivery_id, organisation_id, channel }) => {
    return { websiteId: website_id, id: delivery_id, organisationId: organisation_id, channel };
  });
}

const row = dueRow.extend({
  target: z.string(),
  alert_id: z.string(),
  content: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number(),
  reason: z.string(),
  queued_at_ms: z.number(),
  next_attempt_at_ms: z.number(),
  revision: z.number(),
});

const COLUMNS = `website_id, delivery_id, organisation_id, channel, target, alert_id, content, status, attempts, reason,
  toUnixTimestamp64Milli(queued_at) AS queued_at_ms, toUnixTimestamp64Milli(next_attempt_at) AS next_attempt_at_ms, revision`;

function toDelivery(found: z.output<typeof row>): Delivery {
  return {
    websiteId: found.website_id,
    id: found.delivery_id,
    organisationId: found.organisation_id,
    channel: found.channel,
    target: found.target,
    alertId: found.alert_id,
    content: found.content,
    status: found.status,
    attempts: found.attempts,
    reason: found.reason,
    queuedAt: found.queued_at_ms,
    nextAttemptAt: found.next_attempt_at_ms,
    revision: found.revision,
  };
}

/** How it stands now; null where it is not known. @throws as `ClickHouseReader.read` */
export async function readDelivery(
  reader: ClickHouseReader,
  { websiteId, id }: Pick<Delivery, 'websiteId' | 'id'>,
): Promise<Delivery | null> {
  const [found] = await reader.read({
    name: 'notifications.one',
    sql: `SELECT ${COLUMNS}
FROM notification_deliveries FINAL
WHERE website_id = {website_id: String} AND delivery_id = {id: String}`,
    params: { website_id: websiteId, id },
    row,
    caughtUpWith: ['notification_deliveries'],
  });
  return found === undefined ? null : toDelivery(found);
}

/** A message about an alert as far as it says how much was told. */
export interface ToldDelivery {
  readonly id: string;
  readonly channel: DeliveryChannel;
  readonly target: string;
  /** Of its alert. */
  readonly type: AlertType;
  readonly severity: Severity;
}

const toldRow = z.object({
  delivery_id: z.string(),
  channel: z.enum(deliveryChannels),
  target: z.string(),
  alert_type: z.enum(alertTypeNames),
  severity: z.enum(severities),
});

/**
 * What was put in, in whatever state it is, about alerts that were created from one moment to the other (milliseconds since the epoch, `to`
 * not in it). @throws as `ClickHouseReader.read`
 */
export async function readToldDeliveries(
  reader: ClickHouseReader,
  { websiteId, from, to }: { websiteId: string; from: number; to: number },
): Promise<ToldDelivery[]> {
  const rows = await reader.read({
    name: 'notifications.told',
    sql: `SELECT delivery_id, channel, target, alert_type, severity
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
  return rows.map(({ delivery_id, alert_type, ...rest }) => ({ ...rest, id: delivery_id, type: alert_type }));
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus;
  /** Absent: of all websites. */
  readonly websiteId?: string | undefined;
  /** Absent: all of them. */
  readonly id?: string | undefined;
}

/** The newest first. @param most of them. @throws as `ClickHouseReader.read` */
export async function listDeliveries(
  reader: ClickHouseReader,
  { status, websiteId = '', id = '' }: DeliveryFilter,
  most: number,
): Promise<Delivery[]> {
  const rows = await reader.read({
    name: 'notifications.list',
    sql: `SELECT ${COLUMNS}
FROM notification_deliveries FINAL
WHERE ({website_id: String} = '' OR website_id = {website_id: String})
  AND ({id: String} = '' OR delivery_id = {id: String}) AND status = {status: String}
ORDER BY queued_at DESC, delivery_id
LIMIT {most: UInt32}`,
    params: { status, website_id: websiteId, id, most },
    row,
  });
  return rows.map(toDelivery);
}
