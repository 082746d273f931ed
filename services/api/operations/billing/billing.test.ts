import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../shared/durations.js';
import { createTestApi, TEST_NOW, type TestApi } from '../../../../test/harness/api.js';
import {
  connectStripe,
  type Delivery,
  type StripeServer,
  startStripeServer,
} from '../../../../test/harness/stripe-server.js';

/** Billing from the customer's view, with a server that implements the payment processor's protocol. */

let stripe: StripeServer;
let test: TestApi;
let now: number;

beforeEach(async () => {
  now = TEST_NOW;
  stripe = await startStripeServer({ now: () => now });
  const payments = connectStripe(stripe, () => now);
  test = await createTestApi({ payments });
});
afterEach(() => stripe.stop());

const ask = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  test.request(`/public/v1/billing${path}`, {
    key: test.keys.free,
    headers,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
const billing = async () => (await ask('')).body;

function advance(ms: number): void {
  now += ms;
  test.advance(ms);
}

/** Delivers the processor's webhooks in order. */
async function deliver(deliveries: readonly Delivery[]): Promise<void> {
  for (const { body, signature } of deliveries) {
    const answer = await test.request('/webhooks/stripe', {
      key: null,
      method: 'POST',
      body,
      headers: { 'Stripe-Signature': signature },
    });
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
  }
}

async function buy(plan_id: string, interval = 'monthly'): Promise<void> {
  const { body } = await ask('/checkout', { plan_id, interval });
  await deliver(stripe.completeCheckout(body.checkout_url));
}

describe('from Free to a subscription', () => {
  it('follows the table of spec §3.7', async () => {
    expect(await billing()).toMatchObject({
      plan: 'free',
      plan_name: 'Free',
      subscription_status: null,
      trial: null,
      card_on_file: false,
      portal_url: null,
    });

    const trial = await ask('/trial', { plan_id: 'growth' });
    expect(trial.body).toEqual({
      plan: 'growth',
      subscription_status: 'trial_nocard',
      trial_ends_at: '2026-12-05T12:00:00.001Z',
    });
    expect(await billing()).toMatchObject({ plan: 'growth', trial: { active: true, days_remaining: 14 } });
    // The plan is effective at once: reads are allowed now, with its limit.
    const read = await test.request('/public/v1/websites', { key: test.keys.free });
    expect([read.status, read.headers.get('X-RateLimit-Limit')]).toEqual([200, '500']);

    advance(4 * DAY_MS);
    const checkout = await ask('/checkout', { plan_id: 'starter' });
    expect(checkout.body).toMatchObject({
      switched: false,
      plan: 'growth',
      subscription_status: 'trial_nocard',
    });
    const session = stripe.requests.find(({ path }) => path === '/v1/checkout/sessions')!;
    expect(session.params).toMatchObject({
      'subscription_data[trial_period_days]': '10',
      'discounts[0][coupon]': 'first-month',
    });
    await deliver(stripe.completeCheckout(checkout.body.checkout_url));
    expect(await billing()).toMatchObject({
      plan: 'starter',
      subscription_status: 'trialing',
      card_on_file: true,
      trial: { active: false, days_remaining: 0 },
      portal_url: expect.stringMatching(/^http/),
    });

    const switched = await ask('/checkout', { plan_id: 'scale', interval: 'yearly' });
    expect(switched.body).toEqual({
      checkout_url: null,
      switched: true,
      plan: 'scale',
      subscription_status: 'trialing',
    });
    expect(await billing()).toMatchObject({ plan: 'scale', subscription_status: 'trialing' });
  });

  it('a trial ends by itself', async () => {
    await ask('/trial', { plan_id: 'starter' });
    advance(14 * DAY_MS - 1);
    expect(await billing()).toMatchObject({ plan: 'starter', subscription_status: 'trial_nocard' });
    advance(1);
    expect(await billing()).toMatchObject({ plan: 'free', subscription_status: 'trial_expired' });
    expect((await test.request('/public/v1/websites', { key: test.keys.free })).status).toBe(403);
    const again = await ask('/trial', { plan_id: 'starter' });
    expect([again.status, again.body.code]).toEqual([409, 'trial_used_by_organisation']);
  });

  it('without a trial there are neither trial days nor a discount', async () => {
    await buy('starter');
    const session = stripe.requests.find(({ path }) => path === '/v1/checkout/sessions')!;
    expect(Object.keys(session.params).join()).not.toMatch(/trial|discount/);
    expect(await billing()).toMatchObject({ plan: 'starter', subscription_status: 'active' });
  });
});

describe('a live subscription', () => {
  const subscriptionId = () => [...test.control.state().organisations.values()].at(-1)!.subscription!.id;

  it('that ends also ends its plan', async () => {
    await buy('growth');
    await deliver(stripe.cancel(subscriptionId(), 'now'));
    expect(await billing()).toMatchObject({ plan: 'free', subscription_status: 'canceled' });
  });

  it('with a failed payment continues while the payment is retried', async () => {
    await buy('growth');
    await deliver(stripe.failPayment(subscriptionId()));
    expect(await billing()).toMatchObject({ plan: 'growth', subscription_status: 'past_due' });
  });

  it('already on the chosen plan is a conflict', async () => {
    await buy('growth');
    const same = await ask('/checkout', { plan_id: 'growth' });
    expect([same.status, same.body.code]).toEqual([409, 'already_on_plan']);
    expect((await ask('/checkout', { plan_id: 'growth', interval: 'yearly' })).body.switched).toBe(true);
  });

  it('with a declined card does not change', async () => {
    await buy('starter');
    stripe.declineCards();
    const refused = await ask('/checkout', { plan_id: 'scale' });
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_refused']);
    expect(await billing()).toMatchObject({ plan: 'starter', subscription_status: 'active' });
  });
});

describe('webhooks', () => {
  it('delivered twice and in the wrong order lead to the same state', async () => {
    const { body } = await ask('/checkout', { plan_id: 'starter' });
    const deliveries = stripe.completeCheckout(body.checkout_url);
    await deliver([...deliveries].reverse());
    const records = test.controlLog.records.length;
    await deliver(deliveries);
    expect(test.controlLog.records).toHaveLength(records);
    expect(await billing()).toMatchObject({ plan: 'starter', subscription_status: 'active' });
  });

  it.each([
    ['a wrong signature', 't=1,v1=00'],
    ['none', ''],
  ])('with %s are refused and change nothing', async (_what, signature) => {
    const { body } = await ask('/checkout', { plan_id: 'starter' });
    const [delivery] = stripe.completeCheckout(body.checkout_url);
    const answer = await test.request('/webhooks/stripe', {
      key: null,
      method: 'POST',
      body: delivery!.body,
      headers: { 'Stripe-Signature': signature },
    });
    expect(answer.status).toBe(400);
    expect(await billing()).toMatchObject({ plan: 'free', subscription_status: null });
  });

  it('are retried while the processor is unavailable', async () => {
    const { body } = await ask('/checkout', { plan_id: 'starter' });
    const deliveries = stripe.completeCheckout(body.checkout_url);
    stripe.goDown('fails');
    const { body: event, signature } = deliveries.at(-1)!;
    const answer = await test.request('/webhooks/stripe', {
      key: null,
      method: 'POST',
      body: event,
      headers: { 'Stripe-Signature': signature },
    });
    expect(answer.status).toBe(503);
    stripe.comeBack();
    await deliver(deliveries);
    expect((await billing()).plan).toBe('starter');
  });
});

describe('without the payment processor', () => {
  it('checkout is a clear 503, and billing can still be read', async () => {
    const bare = await createTestApi({});
    const checkout = await bare.request('/public/v1/billing/checkout', {
      method: 'POST',
      body: { plan_id: 'starter' },
    });
    expect(checkout.status).toBe(503);
    expect(checkout.body).toEqual({ detail: expect.stringContaining('no payment processor configured') });
    expect((await bare.request('/public/v1/billing')).body.portal_url).toBeNull();
    expect((await bare.request('/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(503);
  });

  it('that does not answer, checkout is 503 with Retry-After, and billing has no portal', async () => {
    await buy('starter');
    stripe.goDown('fails');
    const checkout = await ask('/checkout', { plan_id: 'scale' });
    expect(checkout.status).toBe(503);
    expect(checkout.headers.get('Retry-After')).toBe('30');
    expect((await billing()).portal_url).toBeNull();
  });
});

it('a repeated checkout with one Idempotency-Key opens one page', async () => {
  const once = () => ask('/checkout', { plan_id: 'starter' }, { 'Idempotency-Key': 'k1' });
  const [first, again] = [await once(), await once()];
  expect(again.text).toBe(first.text);
  expect(stripe.requests.filter(({ path }) => path === '/v1/checkout/sessions')).toHaveLength(1);
});
