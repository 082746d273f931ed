import { createHmac } from 'node:crypto';

/** How a webhook is signed (docs/notifications.md, which customers read). */

export interface SignedWebhook {
  /** The same however often it is sent. */
  readonly id: string;
  readonly body: string;
  /** Of the website (webhook-secret.ts). */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * `v1=` is HMAC-SHA256 in hexadecimal of `<timestamp>.<body>`, the timestamp being seconds since the epoch: who reads the body knows
 * that we wrote it, and when, so that an old one can not be sent again as news.
 */
export function webhookHeaders({ id, body, secret, now }: SignedWebhook): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'loglane-webhook-id': id,
    'loglane-webhook-timestamp': timestamp,
    'loglane-webhook-signature': `v1=${signature}`,
  };
}
