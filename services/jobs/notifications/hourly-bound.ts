import { type AlertType, alertTypes, rankOf, type Severity } from '../../../shared/alerts/alert.js';
import { HOUR_MS } from '../../../shared/durations.js';
import {
  type AlertDelivery,
  type DeliveryChannel,
  deliveryIdOf,
  type NewDelivery,
} from '../../../shared/reads/notifications/notification-deliveries.js';
import type { AlertContent } from './messages/content.js';
import { type AlertChannel, type Audience, alertDeliveries } from './messages/make-deliveries.js';

/**
 * The rate limit of messages about one website. Without it, a client that changes its addresses floods people with incidents. Alerts beyond the
 * limit are in the listing and in the digest. Pure. An alert counts in the UTC hour in which it was found, and sent messages are stored. So reading an
 * alert again, also after a restart, has the same result.
 */

/** For one receiver and group. A person can read an e-mail every ten minutes; a program can take a message a minute. */
const mostAnHour: Readonly<Record<AlertChannel, number>> = { email: 6, webhook: 60 };

/**
 * Alerts that share a limit. Strangers can cause any number of alerts about bots. They can also cause alerts about crawlers, by sending their names.
 * Critical alerts and alerts about the website itself have limits of their own.
 */
function shareOf({ type, severity }: { readonly type: AlertType; readonly severity: Severity }): string {
  if (severity === 'critical') return 'critical';
  const { family } = alertTypes[type];
  return family === 'bot' || family === 'seo' ? family : 'website';
}

/** The UTC hour of the instant; milliseconds since the epoch, `to` exclusive. */
export function hourOf(instant: number): { readonly from: number; readonly to: number } {
  const from = Math.floor(instant / HOUR_MS) * HOUR_MS;
  return { from, to: from + HOUR_MS };
}

/**
 * The messages to queue. The last one within the limit names the end of the pause.
 * @param contents alerts of one website and hour, each news. @param queued messages of that hour that are queued already; they are not queued again
 */
export function boundedDeliveries(
  contents: readonly AlertContent[],
  audience: Audience,
  queued: readonly AlertDelivery[],
): NewDelivery[] {
  const known = new Set(queued.map(({ id }) => id));
  const counts = new Map<string, number>();
  const keyOf = (channel: DeliveryChannel, target: string, share: string) => `${channel} ${share} ${target}`;
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const one of queued) add(keyOf(one.channel, one.target, shareOf(one)));
  const chosen: NewDelivery[] = [];
  const inOrder = contents.toSorted(
    ({ alert: one }, { alert: other }) =>
      one.createdAt - other.createdAt || rankOf(other.severity) - rankOf(one.severity),
  );
  for (const content of inOrder) {
    for (const delivery of alertDeliveries(content, audience)) {
      const { channel, target } = delivery;
      if (known.has(deliveryIdOf(delivery))) continue;
      const key = keyOf(channel, target, shareOf(content.alert));
      const room = mostAnHour[channel] - (counts.get(key) ?? 0);
      if (room <= 0) continue;
      add(key);
      const last: AlertContent = { ...content, quietUntil: hourOf(content.alert.createdAt).to };
      chosen.push(room === 1 ? { ...delivery, content: JSON.stringify(last) } : delivery);
    }
  }
  return chosen;
}
