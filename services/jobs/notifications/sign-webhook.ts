import { createHmac } from 'node:crypto';

/** Signs webhooks (docs/notifications.md, which customers read). */

export interface SignedWebhook {
  /** The same for each attempt. */
  readonly id: string;
  readonly body: string;
  /** The website's secret (webhook-secret.ts). */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * `v1=` is HMAC-SHA256 in hexadecimal of `<timestamp>.<body>`, with the timestamp in seconds since the epoch. It proves to the receiver that
 * we sent the body, and when, so an old body cannot be replayed.
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
