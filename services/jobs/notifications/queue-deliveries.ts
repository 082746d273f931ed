import { LRUCache } from 'lru-cache';
import { type Alert, fingerprintOf, WORSE_THAN } from '../../../shared/alerts/alert.js';
import { decodeAlert } from '../../../shared/alerts/alert-codec.js';
import { DAY_MS } from '../../../shared/durations.js';
import type { LogRecord } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/logging/log.js';
import type {
  AlertDelivery,
  NewDelivery,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import { boundedDeliveries, hourOf } from './hourly-bound.js';
import type { AlertTrace } from './messages/alert-traces.js';
import type { AlertContent } from './messages/content.js';
import { foundAt, isFromImport } from './messages/from-import.js';
import { isNews, type SeenAlert } from './messages/is-news.js';
import { type Audience, importedDelivery, targetsOf } from './messages/make-deliveries.js';

export interface QueuerOptions {
  /** undefined: the website is erased. */
  readonly audienceOf: (websiteId: string) => Audience | undefined;
  readonly readTraces: (wanted: {
    websiteId: string;
    fingerprints: readonly string[];
    since: number;
  }) => Promise<AlertTrace[]>;
  /** Messages about alerts that were found in a period; milliseconds since the epoch, `to` exclusive. */
  readonly readQueued: (wanted: { websiteId: string; from: number; to: number }) => Promise<AlertDelivery[]>;
  readonly queue: (deliveries: readonly NewDelivery[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** No message is sent about older alerts, even if the topic is read again from its beginning. */
const NEWS_MS = DAY_MS;
/** A longer incident counts as a new one. */
const LONGEST_INCIDENT_MS = 30 * DAY_MS;
/** Remembered alerts whose messages are decided. While an alert lasts, a repeat of it comes every few minutes. */
const MOST_DECIDED = 50_000;

/** Alerts by website whose messages are not decided yet. */
export type UndecidedAlerts = ReadonlyMap<string, readonly Alert[]>;

export interface QueueResult {
  /** The number of queued messages. */
  readonly queued: number;
  /** Alerts of websites that failed. They must be taken again. */
  readonly left: UndecidedAlerts;
  /** The error of the first of these websites. */
  readonly error: unknown;
}

const toTrace = (alert: Alert): AlertTrace => ({ ...alert, fromImport: isFromImport(alert) });

/** Takes records of the topic `alerts` and queues their messages. Records may be committed when no alert is left. Taking a record again changes nothing. */
export function createDeliveryQueuer({
  audienceOf,
  readTraces,
  readQueued,
  queue,
  now,
  logger,
}: QueuerOptions) {
  const decided = new LRUCache<string, true>({ max: MOST_DECIDED });
  const keyOf = ({ websiteId, alertId }: Alert) => `${websiteId} ${alertId}`;

  /** The alerts by website that have a receiver, each once. */
  function openAlerts(records: readonly LogRecord[]): UndecidedAlerts {
    const latest = new Map<string, Alert>();
    for (const record of records) {
      const alert = understood(record);
      if (alert !== null && (latest.get(keyOf(alert))?.occurrences ?? 0) <= alert.occurrences)
        latest.set(keyOf(alert), alert);
    }
    const open = new Map<string, Alert[]>();
    for (const [key, alert] of latest) {
      if (decided.has(key) || now() - foundAt(alert) > NEWS_MS) continue;
      const audience = audienceOf(alert.websiteId);
      if (audience === undefined || targetsOf(alert, audience).length === 0) continue;
      open.set(alert.websiteId, [...(open.get(alert.websiteId) ?? []), alert]);
    }
    return open;
  }

  function understood({ value, partition, offset }: LogRecord): Alert | null {
    try {
      return decodeAlert(value);
    } catch (error) {
      logger.warn({ err: error, partition, offset }, 'skipped an unreadable record of alerts');
      return null;
    }
  }

  async function newsOf(websiteId: string, alerts: readonly Alert[]): Promise<Alert[]> {
    const fingerprints = [...new Set(alerts.map(fingerprintOf))];
    const since = Math.min(...alerts.map(({ createdAt }) => createdAt)) - LONGEST_INCIDENT_MS;
    const traces = await readTraces({ websiteId, fingerprints, since });
    // The store may return the alerts of this batch only a moment later.
    const known = new Map([...alerts.map(toTrace), ...traces].map((each) => [each.alertId, each]));
    const kin = new Map<string, SeenAlert[]>();
    for (const each of known.values()) {
      const fingerprint = fingerprintOf(each);
      const own = kin.get(fingerprint) ?? [];
      own.push(each);
      kin.set(fingerprint, own);
    }
    return alerts.filter(
      (alert) => WORSE_THAN in alert.details || isNews(toTrace(alert), kin.get(fingerprintOf(alert)) ?? []),
    );
  }

  async function chosenOf(websiteId: string, alerts: readonly Alert[]): Promise<NewDelivery[]> {
    const byHour = new Map<number, AlertContent[]>();
    const chosen: NewDelivery[] = [];
    for (const alert of await newsOf(websiteId, alerts)) {
      const audience = audienceOf(websiteId);
      if (audience === undefined) return [];
      if (isFromImport(alert)) {
        chosen.push(importedDelivery(alert.alertId, audience));
        continue;
      }
      const { from } = hourOf(alert.createdAt);
      byHour.set(from, [...(byHour.get(from) ?? []), { alert }]);
    }
    for (const [hour, contents] of byHour) {
      const alreadyQueued = await readQueued({ websiteId, ...hourOf(hour) });
      const audience = audienceOf(websiteId);
      if (audience !== undefined) chosen.push(...boundedDeliveries(contents, audience, alreadyQueued));
    }
    return chosen;
  }

  /** A website that fails delays no other website. @throws the store's error if nothing could be queued */
  async function queueMessages(open: UndecidedAlerts): Promise<QueueResult> {
    const chosen: NewDelivery[] = [];
    const left = new Map<string, readonly Alert[]>();
    const errors: unknown[] = [];
    for (const [websiteId, alerts] of open) {
      try {
        chosen.push(...(await chosenOf(websiteId, alerts)));
      } catch (error) {
        left.set(websiteId, alerts);
        errors.push(error);
      }
    }
    if (chosen.length > 0) await queue(chosen);
    for (const [websiteId, alerts] of open)
      if (!left.has(websiteId)) for (const alert of alerts) decided.set(keyOf(alert), true);
    return { queued: chosen.length, left, error: errors[0] };
  }

  return { openAlerts, queueMessages };
}
