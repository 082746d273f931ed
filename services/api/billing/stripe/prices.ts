import { LRUCache } from 'lru-cache';
import type Stripe from 'stripe';
import {
  type BillingInterval,
  billingIntervals,
  PaymentUnavailableError,
} from '../../../../shared/control/domain/payment-processor.js';
import { MINUTE_MS } from '../../../../shared/durations.js';

/** Finds prices by lookup keys, so that the operator changes an amount only at Stripe (docs/billing.md). */

/** A new amount is used this long after its price got the lookup key. */
const CACHE_MS = 5 * MINUTE_MS;

const recurringInterval = { monthly: 'month', yearly: 'year' } as const;

const lookupKeyPattern = new RegExp(`^loglane_(?<planId>.+)_(?<interval>${billingIntervals.join('|')})$`);

export function lookupKey(planId: string, interval: BillingInterval): string {
  return `loglane_${planId}_${interval}`;
}

/** The reverse of {@link lookupKey}; undefined if the key is not one of ours. */
export function parseLookupKey(
  key: string | null,
): { readonly planId: string; readonly interval: BillingInterval } | undefined {
  const groups = key === null ? undefined : lookupKeyPattern.exec(key)?.groups;
  return groups && { planId: groups.planId!, interval: groups.interval as BillingInterval };
}

/** Billing interval of a price; undefined for an interval that Loglane does not sell. */
export function intervalOf({ recurring }: Stripe.Price): BillingInterval | undefined {
  if (recurring?.interval_count !== 1) return undefined;
  return billingIntervals.find((interval) => recurringInterval[interval] === recurring.interval);
}

/** Id of the price of a plan. @throws PaymentUnavailableError if the price is missing or wrong. */
export type FindPrice = (planId: string, interval: BillingInterval) => Promise<string>;

/** `now`: milliseconds since the epoch. */
export function createFindPrice(stripe: Stripe, now: () => number): FindPrice {
  const cache = new LRUCache<string, string>({ max: 100, ttl: CACHE_MS, ttlResolution: 0, perf: { now } });
  return async (planId, interval) => {
    const key = lookupKey(planId, interval);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const { data } = await stripe.prices.list({ lookup_keys: [key], active: true });
    const price = data[0];
    if (price === undefined) throw misconfigured(`no active price has the lookup key ${key}`);
    if (intervalOf(price) !== interval)
      throw misconfigured(`the price ${price.id} of the lookup key ${key} is not charged ${interval}`);
    cache.set(key, price.id);
    return price.id;
  };
}

/** An error of the operator. Customers see "payments unavailable". */
export function misconfigured(problem: string): PaymentUnavailableError {
  return new PaymentUnavailableError('payments are not set up', { cause: new Error(`Stripe: ${problem}`) });
}
