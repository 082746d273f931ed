import { LRUCache } from 'lru-cache';
import type Stripe from 'stripe';
import {
  type BillingInterval,
  billingIntervals,
  PaymentUnavailableError,
} from '../../../../shared/control/domain/payment-processor.js';
import { MINUTE_MS } from '../../../../shared/durations.js';

/** Prices are found by lookup keys, so that the operator changes an amount at Stripe alone (docs/billing.md). */

/** A new amount is asked for this long after the lookup key went to its price. */
const CACHE_MS = 5 * MINUTE_MS;

const recurringInterval = { monthly: 'month', yearly: 'year' } as const;

const lookupKeyPattern = new RegExp(`^loglane_(?<planId>.+)_(?<interval>${billingIntervals.join('|')})$`);

export function lookupKey(planId: string, interval: BillingInterval): string {
  return `loglane_${planId}_${interval}`;
}

/** The reverse of {@link lookupKey}; undefined where the key is not one of ours. */
export function parseLookupKey(
  key: string | null,
): { readonly planId: string; readonly interval: BillingInterval } | undefined {
  const groups = key === null ? undefined : lookupKeyPattern.exec(key)?.groups;
  return groups && { planId: groups.planId!, interval: groups.interval as BillingInterval };
}

/** How often a price is charged; undefined where Loglane sells none such. */
export function intervalOf({ recurring }: Stripe.Price): BillingInterval | undefined {
  if (recurring?.interval_count !== 1) return undefined;
  return billingIntervals.find((interval) => recurringInterval[interval] === recurring.interval);
}

/** The id of the price of a plan. @throws PaymentUnavailableError where the operator has not created it, or wrongly. */
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

/** An error of the operator's; customers see "payments unavailable". */
export function misconfigured(problem: string): PaymentUnavailableError {
  return new PaymentUnavailableError('payments are not set up', { cause: new Error(`Stripe: ${problem}`) });
}
