import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { InvalidWebhookError } from '../../../shared/control/domain/payment-processor.js';
import { PublicError } from '../../../shared/errors.js';
import type { ApiEnv } from '../middleware/env.js';
import type { ApiServices } from '../operation/operation.js';
import { syncNoticed } from './sync-subscription.js';

/** Endpoint for Stripe's webhooks (docs/billing.md). Not part of the public API: the signature authenticates the call. */
const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';

/** Stripe's events have some kilobytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Answers 200 when the change is stored. After any other status, Stripe sends the event again. */
export function webhookRoutes(services: ApiServices, now: () => number): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  routes.post(STRIPE_WEBHOOK_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const { payments, control } = services;
    if (payments === null) throw new PublicError('unavailable', 'No payment processor is configured.');
    const body = await c.req.text();
    const signature = c.req.header('Stripe-Signature');
    const notice = await payments.readWebhook({ body, signature, now: now() }).catch((error: unknown) => {
      if (!(error instanceof InvalidWebhookError)) throw error;
      throw new PublicError('invalid_request', 'Not a webhook signed for this endpoint.', { cause: error });
    });
    if (notice !== null) {
      const subscriptions = await syncNoticed(notice, { payments, control, now });
      c.get('log').info(
        {
          subscriptions: subscriptions.map(({ subscriptionId, status }) => ({ id: subscriptionId, status })),
        },
        'subscription changed',
      );
    }
    return c.json({ received: true });
  });
  return routes;
}
