import type { AlertContent, ImportContent, ImportedAlert, MessageContent } from './content.js';

export interface NamedWebsite {
  readonly id: string;
  readonly domain: string;
  readonly name: string;
}

const instant = (ms: number) => new Date(ms).toISOString();

/** The body of a webhook (docs/notifications.md, which customers read). @param id of the delivery */
export function webhookBody(id: string, content: MessageContent, website: NamedWebsite): string {
  const { type, ...body } = 'alert' in content ? alertBody(content) : importBody(content);
  const { id: websiteId, domain, name } = website;
  return JSON.stringify({ id, type, website: { id: websiteId, domain, name }, ...body });
}

function alertBody({ alert, quietUntil }: AlertContent) {
  const { created_at, last_seen, ...fields } = listed(alert);
  const { details, occurrences } = alert;
  return {
    type: 'alert',
    alert: { ...fields, details, created_at, last_seen, occurrences },
    ...(quietUntil !== undefined && { quiet_until: instant(quietUntil) }),
  };
}

function importBody({ from, to, count, byType, imported }: ImportContent) {
  return {
    type: 'alerts.imported',
    from: instant(from),
    to: instant(to),
    count,
    by_type: Object.fromEntries(byType),
    alerts: imported.map(listed),
  };
}

function listed({ alertId, type, severity, subject, message, createdAt, lastSeen }: ImportedAlert) {
  return {
    alert_id: alertId,
    alert_type: type,
    severity,
    subject,
    message,
    created_at: instant(createdAt),
    last_seen: instant(lastSeen),
  };
}
