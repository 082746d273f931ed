import { expect } from 'vitest';
import { z } from 'zod';
import type { Alert } from '../../shared/alerts/alert.js';
import { decodeAlert } from '../../shared/alerts/alert-codec.js';
import type { NewRecord } from '../../shared/event-log/event-log.js';
import type { TopicName } from '../../shared/event-log/topics.js';
import { deliveryIdOf } from '../../shared/reads/notifications/notification-deliveries.js';
import type { TakenMail } from '../harness/jobs/smtp-server.js';
import type { Cluster } from './cluster.js';
import { type AttackedWebsite, type Audience, incidentsOfWebsite } from './incidents.js';

/** Stored and sent alerts of the attacked websites, compared with their incidents. */

const alertRow = z.object({
  website_id: z.string(),
  alert_id: z.string(),
  fingerprint: z.string(),
  occurrences: z.number(),
});

export type StoredAlert = z.output<typeof alertRow>;

function storedAlerts({ clickhouse }: Cluster): Promise<StoredAlert[]> {
  return clickhouse.read({
    name: 'test.alerts',
    sql: 'SELECT website_id, alert_id, fingerprint, occurrences FROM alerts FINAL ORDER BY website_id, alert_id',
    params: {},
    row: alertRow,
  });
}

/** In order per partition. */
async function recordsOf(cluster: Cluster, topic: TopicName): Promise<NewRecord[]> {
  const log = await cluster.openLog();
  const found: NewRecord[] = [];
  try {
    const tail = await log.tail({
      topic,
      onRecords: (records) => void found.push(...records.map(({ key, value }) => ({ key, value }))),
      onCrash() {},
    });
    await tail.caughtUp;
    await tail.stop();
    return found;
  } finally {
    await log.close();
  }
}

/** Sends all arrivals to the detectors again. @returns their number */
export async function sendArrivalsAgain(cluster: Cluster): Promise<number> {
  const records = await recordsOf(cluster, 'requests.stored');
  const log = await cluster.openLog();
  await log.append('requests.stored', records).finally(() => log.close());
  return records.length;
}

const wantedOf = (websites: readonly AttackedWebsite[]) =>
  websites.flatMap(({ id }) => incidentsOfWebsite.map((fingerprint) => `${id} ${fingerprint} 1`)).sort();

const foundIn = (alerts: readonly StoredAlert[]) =>
  alerts
    .map(({ website_id, fingerprint, occurrences }) => `${website_id} ${fingerprint} ${occurrences}`)
    .sort();

/** Time limit until the pipeline is finished. */
const FOUND_WITHIN = { timeout: 180_000, interval: 1_000 };
const SENT_WITHIN = { timeout: 90_000, interval: 500 };

/**
 * Each incident is one row of `alerts`. All its records in the topic `alerts` are equal, so a fold by id has one alert. Its user has one
 * message of it, by Message-ID. Every request counts once in the points of health.
 * @param mostRepeats maximum number of messages with a repeated Message-ID
 * @returns the number of repeated messages and records
 */
export async function expectEachIncidentOnce(
  cluster: Cluster,
  websites: readonly AttackedWebsite[],
  told: { readonly audience: Audience; readonly mails: readonly TakenMail[]; readonly mostRepeats: number },
): Promise<{ mails: number; records: number }> {
  await expect
    .poll(async () => foundIn(await storedAlerts(cluster)), FOUND_WITHIN)
    .toEqual(wantedOf(websites));
  const stored = await storedAlerts(cluster);
  const messageIds = () =>
    told.mails.map(({ headers }) => headers.get('message-id')?.[0]?.split('@')[0] ?? '');
  await expect
    .poll(() => new Set(messageIds()), SENT_WITHIN)
    .toEqual(new Set(stored.map((alert) => `<${messageIdOf(alert, told.audience)}`)));
  const repeatedMails = messageIds().length - stored.length;
  expect(repeatedMails).toBeLessThanOrEqual(told.mostRepeats);
  const records = await recordsOf(cluster, 'alerts');
  expect(contentsById(records.map(({ value }) => decodeAlert(value)))).toEqual(
    new Map(stored.map(({ website_id, alert_id }) => [`${website_id} ${alert_id}`, 1])),
  );
  await expect
    .poll(() => countedRequests(cluster), FOUND_WITHIN)
    .toEqual(new Map(websites.map(({ id, requests }) => [id, requests])));
  return { mails: repeatedMails, records: records.length - stored.length };
}

const messageIdOf = ({ website_id, alert_id }: StoredAlert, { userId }: Audience) =>
  deliveryIdOf({ websiteId: website_id, channel: 'email', target: userId, alertId: alert_id });

/** How many versions of each alert were found; 1 if all copies are equal. */
function contentsById(alerts: readonly Alert[]): Map<string, number> {
  const contents = new Map<string, Set<string>>();
  for (const alert of alerts) {
    const id = `${alert.websiteId} ${alert.alertId}`;
    contents.set(id, (contents.get(id) ?? new Set()).add(JSON.stringify(alert)));
  }
  return new Map([...contents].map(([id, different]) => [id, different.size]));
}

/** By website, as counted by the detectors. */
async function countedRequests({ clickhouse }: Cluster): Promise<Map<string, number>> {
  const rows = await clickhouse.read({
    name: 'test.points',
    sql: "SELECT website_id, sum(value) AS requests FROM health_points FINAL WHERE metric = 'traffic' GROUP BY website_id",
    params: {},
    row: z.object({ website_id: z.string(), requests: z.number() }),
  });
  return new Map(rows.map(({ website_id, requests }) => [website_id, requests]));
}
