import type { Organisation, Subscription } from '../../../shared/control/domain/model.js';
import type {
  PaymentProcessor,
  SubscriptionSnapshot,
} from '../../../shared/control/domain/payment-processor.js';
import type { ApiControl } from '../control/control.js';

/**
 * Stores a subscription as the payment processor reports it; the plan follows it (shared/control/aggregates/billing.ts).
 * @param askedAt time of the query, milliseconds since the epoch; the answer of the later query wins.
 * @throws PublicError `not_found` if the organisation is not in this installation.
 */
export function keepSubscription(
  control: ApiControl,
  snapshot: SubscriptionSnapshot,
  askedAt: number,
): Promise<Organisation> {
  const { subscriptionId: id, customerId: _, organisationId, ...fields } = snapshot;
  const subscription: Subscription = { id, ...fields, observedAt: new Date(askedAt).toISOString() };
  return control.executeAsSystem({ type: 'syncSubscription', organisationId, subscription });
}

/** Queries the processor for the subscriptions of a webhook and stores the answers. */
export async function syncNoticed(
  notice: { readonly subscriptionId: string } | { readonly customerId: string },
  { payments, control, now }: { payments: PaymentProcessor; control: ApiControl; now: () => number },
): Promise<SubscriptionSnapshot[]> {
  const askedAt = now();
  const subscriptions =
    'subscriptionId' in notice
      ? [await payments.readSubscription(notice.subscriptionId)]
      : await payments.readSubscriptionsOf(notice.customerId);
  // Oldest first, so that the newest wins.
  for (const each of [...subscriptions].reverse()) await keepSubscription(control, each, askedAt);
  return subscriptions;
}
