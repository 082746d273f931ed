import pino from 'pino';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../../shared/config.js';
import { startStripeServer } from '../../../test/harness/stripe-server.js';
import { openPaymentProcessor } from './open-processor.js';

const open = (environment: Record<string, string>) =>
  openPaymentProcessor(loadConfig(environment), { now: Date.now, logger: pino({ level: 'silent' }) });

test('without Stripe in the configuration nothing is sold', () => {
  expect(open({ STRIPE_SECRET_KEY: '', STRIPE_FIRST_MONTH_COUPON: 'first-month' })).toBeNull();
});

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_test' }, /STRIPE_SECRET_KEY: needs STRIPE_WEBHOOK_SECRET/],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec' }, /STRIPE_WEBHOOK_SECRET: needs STRIPE_SECRET_KEY/],
])('a single one of the two secrets prevents the start: %j', (environment, message) => {
  expect(() => open(environment)).toThrow(ConfigError);
  expect(() => open(environment)).toThrow(message);
});

test.each(['api.stripe.com', 'ftp://127.0.0.1', 'http://127.0.0.1:1/v1', 'http://user@127.0.0.1:1'])(
  'the test server %s prevents the start',
  (base) => {
    expect(() => loadConfig({ STRIPE_API_BASE: base })).toThrow(/STRIPE_API_BASE: expected/);
  },
);

test('the whole configuration is used', async () => {
  const stripe = await startStripeServer({ coupons: ['half'] });
  const processor = open({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    STRIPE_FIRST_MONTH_COUPON: 'half',
  })!;
  const { customerId } = await processor.createCustomer({ organisationId: 'org_1', name: 'A', email: null });
  const { url } = await processor.createCheckout({
    organisationId: 'org_1',
    customerId,
    planId: 'basic',
    interval: 'monthly',
    trialDays: 2,
    firstMonthDiscount: true,
    returnUrl: 'https://app.example',
    idempotencyKey: null,
  });
  const deliveries = stripe.completeCheckout(url);
  expect(stripe.requests.at(-1)!.params['discounts[0][coupon]']).toBe('half');
  expect(await processor.readWebhook({ ...deliveries[0]!, now: Date.now() })).toEqual({ customerId });
  await stripe.stop();
});
