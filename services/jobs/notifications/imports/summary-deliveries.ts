import { type AlertType, rankOf } from '../../../../shared/alerts/alert.js';
import type { NewDelivery } from '../../../../shared/reads/notifications/notification-deliveries.js';
import type { MessageAlert } from '../messages/alert-traces.js';
import type { ImportContent } from '../messages/content.js';
import { type Audience, type Target, targetsOf } from '../messages/make-deliveries.js';

/** The messages that summarise alerts of imported logs. Pure. */

/** In one message. */
const MOST_LISTED = 20;

/** One message to each receiver, about the alerts that the settings would have sent to this receiver. */
export function summaryDeliveries(
  alerts: readonly MessageAlert[],
  name: string,
  audience: Audience,
): NewDelivery[] {
  const byTarget = new Map<string, { readonly target: Target; readonly alerts: MessageAlert[] }>();
  for (const alert of alerts) {
    for (const target of targetsOf(alert, audience)) {
      const key = `${target.channel} ${target.target}`;
      const one = byTarget.get(key) ?? { target, alerts: [] };
      byTarget.set(key, one);
      one.alerts.push(alert);
    }
  }
  const { websiteId, organisationId } = audience;
  return [...byTarget.values()].map(({ target, alerts: own }) => {
    const content = JSON.stringify(importContent(own));
    return { ...target, websiteId, organisationId, alertId: `imported#${name}`, content };
  });
}

/** @param alerts at least one */
export function importContent(alerts: readonly MessageAlert[]): ImportContent {
  const counts = new Map<AlertType, number>();
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { type, createdAt, lastSeen } of alerts) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
    from = Math.min(from, createdAt);
    to = Math.max(to, lastSeen);
  }
  const worstFirst = alerts.toSorted(
    (one, other) =>
      rankOf(other.severity) - rankOf(one.severity) ||
      other.createdAt - one.createdAt ||
      (one.alertId < other.alertId ? -1 : 1),
  );
  return {
    from,
    to,
    count: alerts.length,
    byType: [...counts].sort(([, one], [, other]) => other - one),
    imported: worstFirst
      .slice(0, MOST_LISTED)
      .map(({ alertId, type, severity, subject, message, createdAt, lastSeen }) => {
        return { alertId, type, severity, subject, message, createdAt, lastSeen };
      }),
  };
}
