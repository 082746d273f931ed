import { alertSettingsOf } from '../../../shared/control/aggregates/alert-settings.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { openWebhookSecret } from '../../../shared/control/sealing/webhook-secret.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import type { Fetcher } from '../../../shared/fetch/fetcher.js';
import {
  insertDeliveries,
  queueDeliveries,
  readAlertDeliveries,
  readDelivery,
  readDueDeliveries,
  readImportingWebsites,
  readWaitingImported,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import type { Service } from '../../../shared/service/service.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { openMailer } from '../mail/open-mailer.js';
import { readAlertsBetween, readAlertTraces, readSummarised } from './messages/alert-traces.js';
import type { Audience } from './messages/make-deliveries.js';
import { type Notifications, startNotifications } from './notification-service.js';
import { type SendDependencies, sendMessage } from './send-message.js';

export interface NotificationsParts extends Pick<SendDependencies, 'linkOf'> {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** The keys from which the secrets of webhooks are derived. */
  readonly ring: Pick<KeyRing, 'find'>;
  readonly fetch: Fetcher;
}

/** Starts notifications in this process. @throws ConfigError */
export async function openNotifications(service: Service, parts: NotificationsParts): Promise<Notifications> {
  const { config, now, logger } = service;
  const { clickhouse, control, ring } = parts;
  const mailer = openMailer(config);
  if (mailer === null) logger.info('SMTP_URL is not set: no e-mail is sent');
  const state = () => control.state();

  async function secretOf(websiteId: string): Promise<string | null> {
    const made = state().webhookSecrets.get(websiteId);
    return made === undefined ? null : openWebhookSecret(ring, made);
  }

  const sending = {
    mailer,
    fetch: parts.fetch,
    websiteOf: (id: string) => state().websites.get(id),
    emailOf: (userId: string) => state().users.get(userId)?.email,
    settingsOf: (websiteId: string) => alertSettingsOf(state(), websiteId),
    secretOf,
    exportOf: (id: string) => state().exports.get(id),
    linkOf: parts.linkOf,
    now,
  };
  const notifications = await startNotifications({
    ...service,
    log: parts.log,
    websiteIds: () => [...state().websites.values()].map(({ id }) => id),
    audienceOf: (websiteId) => audienceOf(state(), websiteId, mailer !== null),
    readTraces: (wanted) => readAlertTraces(clickhouse, wanted),
    readQueued: (wanted) => readAlertDeliveries(clickhouse, wanted),
    readAlerts: (wanted) => readAlertsBetween(clickhouse, wanted),
    queue: (deliveries) => queueDeliveries(clickhouse, deliveries, now()),
    readDue: () => readDueDeliveries(clickhouse, now()),
    read: (due) => readDelivery(clickhouse, due),
    record: (delivery) => insertDeliveries(clickhouse, [delivery]),
    recordAll: (deliveries) => insertDeliveries(clickhouse, deliveries),
    readImporting: () => readImportingWebsites(clickhouse),
    readWaiting: (websiteId) => readWaitingImported(clickhouse, websiteId),
    readSummarised: (wanted) => readSummarised(clickhouse, wanted),
    send: (delivery, signal) => sendMessage(delivery, sending, signal),
  });
  service.onStop(() => notifications.stop());
  return notifications;
}

function audienceOf(state: ControlState, websiteId: string, canMail: boolean): Audience | undefined {
  const website = state.websites.get(websiteId);
  if (website === undefined) return undefined;
  const { organisationId } = website;
  const userIds = state.users.by('organisationId', organisationId).map(({ id }) => id);
  return { websiteId, organisationId, userIds, settings: alertSettingsOf(state, websiteId), canMail };
}
