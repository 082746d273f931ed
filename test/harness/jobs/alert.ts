import type { MessageAlert } from '../../../services/jobs/notifications/messages/alert-traces.js';
import { isFromImport } from '../../../services/jobs/notifications/messages/from-import.js';
import type { Audience } from '../../../services/jobs/notifications/messages/make-deliveries.js';
import { type Alert, alertIdOf } from '../../../shared/alerts/alert.js';
import { type AlertSettings, defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';

export const NOON = Date.UTC(2026, 10, 22, 12);

/** An alert of the website `web_1`, found at noon by default. */
export function alertWith(given: Partial<Alert> = {}): Alert {
  const createdAt = given.createdAt ?? NOON;
  const alert = {
    websiteId: 'web_1',
    type: 'error_spike_5xx',
    severity: 'warning',
    subject: '',
    message: '31 % of requests failed, 0.4 % are usual.',
    details: { requests: 4_100, status_5xx: 1_271 },
    createdAt,
    lastSeen: createdAt,
    occurrences: 1,
    ...given,
  } as const;
  return { ...alert, alertId: given.alertId ?? alertIdOf(alert) };
}

/**
 * An alert of logs that were imported at `foundAt` after their interval had ended, by default twenty days
 * before.
 */
export function importedAlert(foundAt: number, given: Partial<Alert> = {}): Alert {
  const createdAt = given.createdAt ?? foundAt - 20 * DAY_MS;
  const details = { from_import: true, hours_old: Math.floor((foundAt - createdAt) / HOUR_MS) };
  return alertWith({ ...given, createdAt, details: { ...given.details, ...details } });
}

/** The form in which messages read alerts from the table. */
export const toMessageAlert = (alert: Alert): MessageAlert => ({ ...alert, fromImport: isFromImport(alert) });

/** By default all notifications are enabled. */
function settingsWith(given: Partial<AlertSettings> = {}): AlertSettings {
  return {
    ...defaultAlertSettings,
    email_notifications_enabled: true,
    webhook_notifications_enabled: true,
    webhook_urls: ['https://hook.example/a?token=secret'],
    ...given,
  };
}

export function audienceWith(settings: Partial<AlertSettings> = {}, given: Partial<Audience> = {}): Audience {
  return {
    websiteId: 'web_1',
    organisationId: 'org_1',
    userIds: ['usr_1', 'usr_2'],
    settings: settingsWith(settings),
    canMail: true,
    ...given,
  };
}
