import type Stripe from 'stripe';
import {
  type BillingInterval,
  type SubscriptionSnapshot,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../../../../shared/control/domain/payment-processor.js';
import { intervalOf, misconfigured, parseLookupKey } from './prices.js';

/** Metadata of objects that Loglane creates at Stripe. Objects without it belong to another product. */
export interface OurMetadata {
  readonly organisation_id: string;
  /** The last bought plan. It identifies the plan after the price has lost its lookup key to a successor. */
  readonly plan_id: string;
}

export function isOurs(subscription: Stripe.Subscription): boolean {
  return subscription.metadata.organisation_id !== undefined;
}

/**
 * @param subscription with its customer expanded.
 * @throws PaymentUnavailableError if it is not Loglane's, or if its price at Stripe belongs to no plan.
 */
export function snapshotOf(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const { id, customer, metadata } = subscription;
  const organisationId = metadata.organisation_id;
  if (organisationId === undefined) throw misconfigured(`${id} has no organisation_id in its metadata`);
  const { price, current_period_end: periodEnd } = planItem(subscription);
  return {
    subscriptionId: id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    organisationId,
    ...planOf(subscription, price),
    status: statusOf(subscription),
    trialEndsAt: isoTime(subscription.trial_end),
    currentPeriodEndsAt: isoTime(periodEnd),
    cancelAtPeriodEnd: endsWithPeriod(subscription, periodEnd),
    cardOnFile: hasCard(subscription),
  };
}

/** The item with the plan. Other items of the operator on the same subscription are ignored. */
export function planItem({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem {
  const item = items.data.find(({ price }) => parseLookupKey(price.lookup_key)) ?? items.data[0];
  if (item === undefined) throw misconfigured(`${id} has no items`);
  return item;
}

function planOf(
  { id, metadata }: Stripe.Subscription,
  price: Stripe.Price,
): { planId: string; interval: BillingInterval } {
  const lookup = parseLookupKey(price.lookup_key);
  if (lookup !== undefined) return lookup;
  const interval = intervalOf(price);
  // The lookup key moves to a new price if an amount changes. Existing subscribers stay on the old price without a key.
  if (price.lookup_key !== null || metadata.plan_id === undefined || interval === undefined)
    throw misconfigured(`${id} is on the price ${price.id}, which is no plan's`);
  return { planId: metadata.plan_id, interval };
}

function statusOf({ id, status }: Stripe.Subscription): SubscriptionStatus {
  const knownStatus = subscriptionStatuses.find((each) => each === status);
  if (knownStatus === undefined) throw misconfigured(`${id} has the unknown status ${status}`);
  return knownStatus;
}

/** Stripe's portal sets a date (cancel_at) in flexible billing mode, and a flag in classic mode. */
function endsWithPeriod(subscription: Stripe.Subscription, periodEnd: number): boolean {
  const { cancel_at_period_end, cancel_at } = subscription;
  return cancel_at_period_end || (cancel_at !== null && cancel_at <= periodEnd);
}

function hasCard({ default_payment_method, default_source, customer }: Stripe.Subscription): boolean {
  const standing = typeof customer === 'string' || customer.deleted ? undefined : customer;
  return [
    default_payment_method,
    default_source,
    standing?.invoice_settings.default_payment_method,
    standing?.default_source,
  ].some(Boolean);
}

function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
