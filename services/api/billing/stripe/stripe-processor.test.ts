import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PaymentRefusedError,
  PaymentUnavailableError,
} from '../../../../shared/control/domain/payment-processor.js';
import {
  causeOf,
  failed,
  openShop,
  RETURN_URL,
  type Shop,
} from '../../../../test/harness/api/stripe-shop.js';
import type { Outage } from '../../../../test/harness/stripe-server.js';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.stop());

const sent = (path: string) => shop.stripe.requests.filter((request) => request.path === path);

describe('a customer', () => {
  const again = { organisationId: 'org_1', name: 'Acme Ltd', email: null };

  test('is made once for an organisation, under its newest name', async () => {
    expect(await shop.processor.createCustomer(again)).toEqual({ customerId: shop.customerId });
    expect([...shop.stripe.account.customers.values()]).toMatchObject([
      { name: 'Acme Ltd', email: 'a@b.c', metadata: { organisation_id: 'org_1' } },
    ]);
  });

  test('with an address that Stripe refuses is refused without Stripe’s own words', async () => {
    const error = await failed(shop.processor.createCustomer({ ...again, email: 'nobody' }));
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error.message).toBe('The payment processor refused the request.');
    expect(causeOf(error)).toContain('code email_invalid, param email, status 400, request req_harness');
  });

  test('of another organisation is another', async () => {
    expect(await shop.processor.createCustomer({ ...again, organisationId: 'org_2' })).not.toEqual({
      customerId: shop.customerId,
    });
  });
});

describe('a checkout', () => {
  test('contains the organisation in all places that are read back, the price and the return address', async () => {
    const { url } = await shop.processor.createCheckout(shop.checkout());
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(sent('/v1/checkout/sessions')[0]!.params).toEqual({
      mode: 'subscription',
      customer: shop.customerId,
      client_reference_id: 'org_1',
      'line_items[0][price]': shop.stripe.account.priceOf('loglane_starter_monthly').id,
      'line_items[0][quantity]': '1',
      'metadata[organisation_id]': 'org_1',
      'metadata[plan_id]': 'starter',
      'subscription_data[metadata][organisation_id]': 'org_1',
      'subscription_data[metadata][plan_id]': 'starter',
      payment_method_collection: 'always',
      success_url: RETURN_URL,
      cancel_url: RETURN_URL,
    });
  });

  test.each([
    [3, '3'],
    [0, undefined],
    [null, undefined],
  ])('grants the remaining trial days: %s', async (trialDays, days) => {
    await shop.processor.createCheckout(shop.checkout({ trialDays }));
    expect(sent('/v1/checkout/sessions')[0]!.params['subscription_data[trial_period_days]']).toBe(days);
  });

  test.each([
    ['monthly', true, 'first-month', 'first-month'],
    ['monthly', false, 'first-month', undefined],
    ['monthly', true, undefined, undefined],
    ['yearly', true, 'first-month', undefined],
  ] as const)(
    '%s with the discount %s and the coupon %s takes %s off',
    async (interval, firstMonthDiscount, firstMonthCoupon, coupon) => {
      await shop
        .connect({ firstMonthCoupon })
        .createCheckout(shop.checkout({ interval, firstMonthDiscount }));
      expect(sent('/v1/checkout/sessions')[0]!.params['discounts[0][coupon]']).toBe(coupon);
    },
  );

  test('repeated with its key is the same page; a different request with that key is refused', async () => {
    const first = await shop.processor.createCheckout(shop.checkout({ idempotencyKey: 'k' }));
    expect(await shop.processor.createCheckout(shop.checkout({ idempotencyKey: 'k' }))).toEqual(first);
    expect(await shop.processor.createCheckout(shop.checkout({ idempotencyKey: 'l' }))).not.toEqual(first);
    const other = shop.processor.createCheckout(shop.checkout({ idempotencyKey: 'k', planId: 'growth' }));
    expect(await failed(other)).toBeInstanceOf(PaymentRefusedError);
  });

  test.each(['drops', 'hangs'] as const)('whose answer %s is retried, and made once', async (how) => {
    await shop.processor.createCheckout(shop.checkout());
    shop.stripe.loseNextAnswer(how);
    await shop.processor.createCheckout(shop.checkout());
    expect(sent('/v1/checkout/sessions')).toHaveLength(3);
    expect(shop.stripe.account.sessions.size).toBe(2);
  });
});

describe('prices', () => {
  test('are queried again after five minutes', async () => {
    await shop.processor.createCheckout(shop.checkout());
    shop.now += 299_000;
    await shop.processor.createCheckout(shop.checkout());
    expect(sent('/v1/prices')).toHaveLength(1);
    shop.now += 2_000;
    await shop.processor.createCheckout(shop.checkout());
    expect(sent('/v1/prices')).toHaveLength(2);
  });

  const monthly = { interval: 'month', interval_count: 1 };
  test.each([
    ['that were never created', 'free', {}, 'loglane_free_monthly'],
    ['that are archived', 'starter', { active: false }, 'loglane_starter_monthly'],
    ['of years', 'starter', { recurring: { ...monthly, interval: 'year' } }, 'not charged monthly'],
    ['of quarters', 'starter', { recurring: { ...monthly, interval_count: 3 } }, 'not charged monthly'],
    ['paid once', 'starter', { recurring: null }, 'not charged monthly'],
  ])('%s make payments unavailable and are named in the cause', async (_, planId, changes, problem) => {
    shop.stripe.account.replacePrice('loglane_starter_monthly', changes);
    const error = await failed(shop.processor.createCheckout(shop.checkout({ planId })));
    expect(error).toBeInstanceOf(PaymentUnavailableError);
    expect(causeOf(error)).toContain(problem);
  });

  test('that changed do not affect earlier subscribers', async () => {
    const id = await shop.subscribe({ interval: 'yearly' });
    shop.stripe.account.replacePrice('loglane_starter_yearly');
    expect(await shop.processor.readSubscription(id)).toMatchObject({
      planId: 'starter',
      interval: 'yearly',
    });
    await shop.processor.switchPlan({
      subscriptionId: id,
      planId: 'growth',
      interval: 'monthly',
      idempotencyKey: null,
    });
    shop.stripe.account.replacePrice('loglane_growth_monthly');
    expect(await shop.processor.readSubscription(id)).toMatchObject({
      planId: 'growth',
      interval: 'monthly',
    });
  });

  test('an unknown coupon makes payments unavailable', async () => {
    const call = shop
      .connect({ firstMonthCoupon: 'gone' })
      .createCheckout(shop.checkout({ firstMonthDiscount: true }));
    expect(causeOf(await failed(call))).toContain("No such coupon: 'gone'");
  });
});

describe('when Stripe', () => {
  test.each<Outage>(['fails', 'limits', 'drops', 'hangs'])(
    '%s, payments are unavailable until it is back',
    async (how) => {
      const id = await shop.subscribe();
      shop.stripe.goDown(how);
      expect(await failed(shop.processor.readSubscription(id))).toBeInstanceOf(PaymentUnavailableError);
      expect(await failed(shop.processor.createCheckout(shop.checkout()))).toBeInstanceOf(
        PaymentUnavailableError,
      );
      shop.stripe.comeBack();
      expect(await shop.processor.readSubscription(id)).toMatchObject({ status: 'active' });
    },
  );

  test('knows another key, payments are unavailable and the key is in no log', async () => {
    const wrong = shop.connect({ secretKey: 'sk_test_wrong' });
    const error = await failed(wrong.portalUrl({ customerId: shop.customerId, returnUrl: RETURN_URL }));
    expect(error).toBeInstanceOf(PaymentUnavailableError);
    shop.logger.error(error);
    expect(shop.log).toContain('StripeAuthenticationError');
    expect(shop.log).toContain('/v1/billing_portal/sessions');
    expect(shop.log).not.toContain('sk_test_wrong');
  });
});

test('every request names the API version of the library', async () => {
  await shop.subscribe();
  expect(new Set(shop.stripe.requests.map(({ apiVersion }) => apiVersion))).toEqual(
    new Set([Stripe.API_VERSION]),
  );
});

test('the portal is the customer’s own', async () => {
  expect(await shop.processor.portalUrl({ customerId: shop.customerId, returnUrl: RETURN_URL })).toMatch(
    /^https:\/\/billing\.stripe\.com\//,
  );
  expect(sent('/v1/billing_portal/sessions')[0]!.params).toEqual({
    customer: shop.customerId,
    return_url: RETURN_URL,
  });
});
