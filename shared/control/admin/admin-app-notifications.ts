import type { Hono } from 'hono';
import { PublicError } from '../../errors.js';
import type { ControlPlane } from '../control-plane.js';
import type { KeyRing } from '../sealing/key-ring.js';
import { type DeliveryDesk, deliveryListing, deliveryRetry } from './delivery-desk.js';
import { readBody, readQuery } from './read-input.js';
import { showWebhookSecret, webhookSecretWish } from './show-webhook-secret.js';

export interface NotificationRoutesOptions {
  readonly control: ControlPlane;
  /** Absent: there is no ClickHouse that they stand in. */
  readonly deliveries?: DeliveryDesk | undefined;
  /** What webhooks' secrets are made of. */
  readonly ring?: KeyRing | undefined;
}

/** How people and programs are told of alerts. */
export function addNotificationRoutes(app: Hono, options: NotificationRoutesOptions): void {
  app.get('/deliveries', async (context) => {
    const wanted = readQuery(deliveryListing, context.req.query());
    return context.json({ rows: await deskOf(options).list(wanted) });
  });

  app.post('/deliveries/retry', async (context) => {
    const wanted = readBody(deliveryRetry, await context.req.text());
    return context.json({ rows: await deskOf(options).retry(wanted) });
  });

  app.post('/webhook-secret', async (context) => {
    const wish = readBody(webhookSecretWish, await context.req.text());
    return context.json({ answer: await showWebhookSecret(wish, options) });
  });
}

function deskOf({ deliveries }: NotificationRoutesOptions): DeliveryDesk {
  if (deliveries !== undefined) return deliveries;
  throw new PublicError('invalid_request', 'deliveries stand in ClickHouse: set CLICKHOUSE_URL');
}
