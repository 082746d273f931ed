import type { AlertContent } from './content.js';

export interface NamedWebsite {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** The body of a webhook (docs/notifications.md, which customers read). @param id of the delivery */
export function webhookBody(id: string, { alert, quietUntil }: AlertContent, website: NamedWebsite): string {
  return JSON.stringify({
    id,
    type: 'alert',
    website: { id: website.id, domain: website.domain, name: website.name },
    alert: {
      alert_id: alert.alertId,
      alert_type: alert.type,
      severity: alert.severity,
      subject: alert.subject,
      message: alert.message,
      details: alert.details,
      created_at: instant(alert.createdAt),
      last_seen: instant(alert.lastSeen),
      occurrences: alert.occurrences,
    },
    ...(quietUntil === undefined ? {} : { quiet_until: instant(quietUntil) }),
  });
}
