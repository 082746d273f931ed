import Stripe from 'stripe';
import {
  type PaymentProcessor,
  PaymentRefusedError,
} from '../../../../shared/control/domain/payment-processor.js';
import type { Logger } from '../../../../shared/logging/log.js';
import { translating } from './errors.js';
import { createFindPrice, type FindPrice } from './prices.js';
import { isOurs, type OurMetadata, planItem, snapshotOf } from './snapshot.js';
import { createReadWebhook } from './webhook.js';

/** Besides the first attempt. The library repeats a POST with the same idempotency key, so it takes effect once. */
const RETRIES = 1;

/** A subscription in one of these states can not be changed. The customer can only pay it or buy again. */
const FIXED_STATUSES: readonly string[] = ['canceled', 'incomplete', 'incomplete_expired'];

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** `http(s)://host:port` of a test server; absent: Stripe. */
  readonly apiBase?: string | undefined;
  /** Coupon id for the first month; absent: no discount. */
  readonly firstMonthCoupon?: string | undefined;
  /** Time-out of one attempt; a call makes at most two. */
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** The payment processor on Stripe: Checkout, Billing and the customer portal (https://docs.stripe.com/billing). */
export function createStripeProcessor(options: StripeOptions): PaymentProcessor {
  const stripe = connect(options);
  const findPrice = createFindPrice(stripe, options.now);
  const calls = createCalls(stripe, findPrice, options.firstMonthCoupon);
  return {
    createCustomer: (o) => translating(() => calls.createCustomer(o)),
    createCheckout: (o) => translating(() => calls.createCheckout(o)),
    switchPlan: (o) => translating(() => calls.switchPlan(o)),
    readSubscription: (id) => translating(() => calls.readSubscription(id)),
    readSubscriptionsOf: (customerId) => translating(() => calls.readSubscriptionsOf(customerId)),
    portalUrl: (o) => translating(() => calls.portalUrl(o)),
    readWebhook: createReadWebhook(options.webhookSecret),
  };
}

function connect({ secretKey, apiBase, timeoutMs, logger }: StripeOptions): Stripe {
  // No apiVersion: the library sends the one that its types are made for.
  const stripe = new Stripe(secretKey, {
    ...(apiBase === undefined ? {} : addressOf(apiBase)),
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  stripe.on('response', ({ method, path, status, elapsed, request_id }: Stripe.ResponseEvent) =>
    logger.debug({ method, path, status, elapsed, stripeRequest: request_id }, 'Stripe answered'),
  );
  return stripe;
}

function addressOf(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const secure = protocol === 'https:';
  return {
    protocol: secure ? ('https' as const) : ('http' as const),
    // Only in a URL is an IPv6 address in brackets.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (secure ? 443 : 80),
  };
}

type Calls = Omit<PaymentProcessor, 'readWebhook'>;

function createCalls(stripe: Stripe, findPrice: FindPrice, firstMonthCoupon: string | undefined): Calls {
  return {
    async createCustomer({ organisationId, name, email }) {
      // Name and address may differ between two attempts, but an idempotency key allows only one set of parameters. So they are sent later.
      const metadata = { organisation_id: organisationId };
      const options = { idempotencyKey: `loglane-customer-${organisationId}` };
      const { id } = await stripe.customers.create({ metadata }, options);
      await stripe.customers.update(id, { name, ...(email === null ? {} : { email }) });
      return { customerId: id };
    },

    async createCheckout(o) {
      const params = checkoutParams(o, await findPrice(o.planId, o.interval), firstMonthCoupon);
      const { id, url } = await stripe.checkout.sessions.create(params, keyed(o.idempotencyKey));
      if (url === null) throw new Error(`Stripe: the session ${id} has no page`);
      return { url };
    },

    async switchPlan({ subscriptionId, planId, interval, idempotencyKey }) {
      const [price, before] = await Promise.all([
        findPrice(planId, interval),
        stripe.subscriptions.retrieve(subscriptionId),
      ]);
      if (FIXED_STATUSES.includes(before.status))
        throw new PaymentRefusedError(`The subscription is ${before.status}: its plan can not be switched.`);
      const after = await stripe.subscriptions.update(
        subscriptionId,
        {
          items: [{ id: planItem(before).id, price }],
          metadata: { plan_id: planId } satisfies Partial<OurMetadata>,
          // Invoice now, not with the next period: the higher limits also start now.
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
          expand: ['customer'],
        },
        keyed(idempotencyKey),
      );
      return snapshotOf(after);
    },

    async readSubscription(subscriptionId) {
      return snapshotOf(await stripe.subscriptions.retrieve(subscriptionId, { expand: ['customer'] }));
    },

    async readSubscriptionsOf(customer) {
      // One page of maximum size: only the newest subscriptions matter.
      const query = { customer, status: 'all', limit: 100, expand: ['data.customer'] };
      const { data } = await stripe.subscriptions.list(query);
      return data.filter(isOurs).map(snapshotOf);
    },

    async portalUrl({ customerId, returnUrl }) {
      const session = { customer: customerId, return_url: returnUrl };
      return (await stripe.billingPortal.sessions.create(session)).url;
    },
  };
}

function checkoutParams(
  o: Parameters<PaymentProcessor['createCheckout']>[0],
  price: string,
  firstMonthCoupon: string | undefined,
): Stripe.Checkout.SessionCreateParams {
  const metadata: OurMetadata = { organisation_id: o.organisationId, plan_id: o.planId };
  // A coupon applies to whole invoices, and the first invoice of a yearly plan covers more than a month.
  const discounted = o.firstMonthDiscount && o.interval === 'monthly' && firstMonthCoupon !== undefined;
  const trial = o.trialDays !== null && o.trialDays > 0 ? { trial_period_days: o.trialDays } : {};
  return {
    mode: 'subscription',
    customer: o.customerId,
    client_reference_id: o.organisationId,
    line_items: [{ price, quantity: 1 }],
    subscription_data: { ...trial, metadata: { ...metadata } },
    metadata: { ...metadata },
    ...(discounted ? { discounts: [{ coupon: firstMonthCoupon }] } : {}),
    // Also in a trial, where no payment is due yet: the trial without a card comes before checkout (spec §3.7).
    payment_method_collection: 'always',
    success_url: o.returnUrl,
    cancel_url: o.returnUrl,
  };
}

function keyed(idempotencyKey: string | null): Stripe.RequestOptions {
  return idempotencyKey === null ? {} : { idempotencyKey };
}
