import { createHash } from 'node:crypto';
import { type Alert, rankOf } from '../../../../shared/alerts/alert.js';
import type { AlertSettings } from '../../../../shared/alerts/settings.js';
import type { Export } from '../../../../shared/control/domain/model.js';
import type { NewDelivery } from '../../../../shared/reads/notifications/notification-deliveries.js';
import { isUrl } from '../../../../shared/urls/is-url.js';
import type { AlertContent, DigestContent, ExportContent } from './content.js';

/** The possible receivers of a website's alerts. */
export interface Audience {
  readonly websiteId: string;
  readonly organisationId: string;
  /** Ids of the organisation's users. */
  readonly userIds: readonly string[];
  readonly settings: AlertSettings;
  /** Whether this installation sends e-mail. */
  readonly canMail: boolean;
}

/** Channels of alerts. */
export type AlertChannel = 'email' | 'webhook';

export interface Target {
  readonly channel: AlertChannel;
  readonly target: string;
}

/** The receivers of the alert if it is news. Families that are switched off produce no alerts, so they are not checked here. */
export function targetsOf(
  { type, severity }: Pick<Alert, 'type' | 'severity'>,
  { settings, userIds, canMail }: Audience,
): Target[] {
  if (!settings.alerts_enabled) return [];
  const isMailed =
    canMail &&
    settings.email_notifications_enabled &&
    rankOf(severity) >= settings.min_email_severity &&
    !settings.email_disabled_types.includes(type);
  const people = isMailed ? userIds : [];
  const urls = settings.webhook_notifications_enabled ? settings.webhook_urls : [];
  return [
    ...people.map((target): Target => ({ channel: 'email', target })),
    ...[...new Set(urls)].map((url): Target => ({ channel: 'webhook', target: targetOfUrl(url) })),
  ];
}

export function alertDeliveries(
  content: AlertContent,
  audience: Audience,
): (NewDelivery & { readonly channel: AlertChannel })[] {
  const { websiteId, organisationId } = audience;
  const { alertId } = content.alert;
  return targetsOf(content.alert, audience).map((target) => {
    return { ...target, websiteId, organisationId, alertId, content: JSON.stringify(content) };
  });
}

/** A row that waits for the summary of its import. The alert identifies it, so taking the record again changes nothing. */
export function importedDelivery(alertId: string, { websiteId, organisationId }: Audience): NewDelivery {
  return { websiteId, organisationId, channel: 'imported', target: '', alertId, content: '' };
}

/** @param day `2026-11-22`: it has one digest, even if the hour of sending changes */
export function digestDeliveries(content: DigestContent, day: string, audience: Audience): NewDelivery[] {
  const { websiteId, organisationId, userIds } = audience;
  return userIds.map((target) => ({
    websiteId,
    organisationId,
    channel: 'digest',
    target,
    alertId: `digest#${day}`,
    content: JSON.stringify(content),
  }));
}

/** To the user who requested the export; none if the key has no owner or the request did not set `notify`. */
export function exportDeliveries(
  over: Pick<Export, 'id' | 'websiteId' | 'organisationId' | 'userId' | 'notify'>,
): NewDelivery[] {
  const { id: exportId, websiteId, organisationId, userId: target } = over;
  if (!over.notify || target === null) return [];
  const content: ExportContent = { exportId };
  const alertId = `export#${exportId}`;
  return [
    { websiteId, organisationId, channel: 'export', target, alertId, content: JSON.stringify(content) },
  ];
}

/** The stored name of a webhook's URL, whose path or query may be a secret: `hooks.example.com#1f3a…`. */
export function targetOfUrl(url: string): string {
  const host = isUrl(url) ? new URL(url).hostname : '';
  return `${host}#${createHash('sha256').update(url).digest('hex').slice(0, 12)}`;
}
