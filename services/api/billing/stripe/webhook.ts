import Stripe from 'stripe';
import { z } from 'zod';
import {
  InvalidWebhookError,
  type PaymentProcessor,
  type WebhookNotice,
} from '../../../../shared/control/domain/payment-processor.js';

/** Events that docs/billing.md asks the operator to send. Others are answered and change nothing. */
export const webhookEvents = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.updated',
  'payment_method.attached',
  'payment_method.detached',
] as const;

// Only fields that are the same in all API versions of Stripe: the operator chooses the version of the endpoint.
const metadata = z.object({ organisation_id: z.string().optional() });
const ours = (object: { metadata: z.infer<typeof metadata> }) =>
  object.metadata.organisation_id !== undefined;

const session = z.object({ subscription: z.string().nullable(), metadata });
const subscription = z.object({ id: z.string(), metadata });
const customer = z.object({ id: z.string(), metadata });
const attachment = z.object({ customer: z.string().nullable() });

const eventSchema = z.object({
  type: z.string(),
  data: z.object({ object: z.unknown(), previous_attributes: z.unknown().optional() }),
});

export function createReadWebhook(secret: string): PaymentProcessor['readWebhook'] {
  return async ({ body, signature, now }) => {
    const event = verified(body, signature ?? '', secret, now);
    try {
      return noticeOf(event);
    } catch (error) {
      throw new InvalidWebhookError('signed, but not a Stripe event', { cause: error });
    }
  };
}

/** @throws InvalidWebhookError also for an event older than the library's tolerance of five minutes, which may be a replay. */
function verified(body: string, signature: string, secret: string, now: number): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, now);
  } catch (error) {
    // Without the cause, which contains the body. Lines after the first are advice.
    throw new InvalidWebhookError((error as Error).message.split('\n')[0]!.trim());
  }
}

/**
 * @returns the state that a verified event changes. A Stripe account may sell other products, so events without our metadata are
 * ignored.
 * @throws ZodError if an event of a known type lacks its ids.
 */
function noticeOf(event: unknown): WebhookNotice {
  const { type, data } = eventSchema.parse(event);
  const kind = webhookEvents.find((each) => each === type);
  switch (kind) {
    case undefined:
      return null;
    case 'checkout.session.completed': {
      const object = session.parse(data.object);
      return ours(object) && object.subscription !== null ? { subscriptionId: object.subscription } : null;
    }
    case 'customer.updated': {
      const object = customer.parse(data.object);
      return ours(object) ? { customerId: object.id } : null;
    }
    case 'payment_method.attached':
      return customerNotice(attachment.parse(data.object).customer);
    case 'payment_method.detached':
      // The payment method has no customer any more; the previous customer is in `previous_attributes`.
      return customerNotice(attachment.parse(data.previous_attributes).customer);
    default: {
      const object = subscription.parse(data.object);
      return ours(object) ? { subscriptionId: object.id } : null;
    }
  }
}

function customerNotice(customerId: string | null): WebhookNotice {
  return customerId === null ? null : { customerId };
}
