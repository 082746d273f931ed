import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InvalidWebhookError } from '../../../../shared/control/domain/payment-processor.js';
import { failed, openShop, type Shop } from '../../../../test/harness/api/stripe-shop.js';
import type { Delivery } from '../../../../test/harness/stripe-server.js';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.stop());

const read = (delivery: { body: string; signature: string | undefined }, now = shop.now) =>
  shop.processor.readWebhook({ ...delivery, now });

test('a paid checkout sends three events that name the subscription or customer', async () => {
  const { url } = await shop.processor.createCheckout(shop.checkout());
  const deliveries = shop.stripe.completeCheckout(url);
  const subscriptionId = [...shop.stripe.account.subscriptions.keys()][0];
  expect(await Promise.all(deliveries.map((delivery) => read(delivery)))).toEqual([
    { customerId: shop.customerId },
    { subscriptionId },
    { subscriptionId },
  ]);
});

test('every event of a subscription or its card names what changed', async () => {
  const subscriptionId = await shop.subscribe({ trialDays: 5 });
  const { customerId, stripe } = shop;
  const deliveries = [
    ...stripe.endTrial(subscriptionId),
    ...stripe.failPayment(subscriptionId),
    ...stripe.cancel(subscriptionId, 'at_period_end'),
    ...stripe.cancel(subscriptionId),
    ...stripe.addCard(customerId),
    ...stripe.removeCard(customerId),
  ];
  const notices = await Promise.all(deliveries.map((delivery) => read(delivery)));
  expect(notices.slice(0, 4)).toEqual(Array(4).fill({ subscriptionId }));
  expect(notices.slice(4)).toEqual(Array(4).fill({ customerId }));
});

describe('ignored is', () => {
  const id = 'x_1';
  test.each<[string, string, object]>([
    ['an event type that is not in the list', 'invoice.paid', { id, customer: 'cus_1' }],
    ['a subscription to something else', 'customer.subscription.updated', { id, metadata: {} }],
    ['a customer of something else', 'customer.updated', { id, metadata: {} }],
    ['a checkout of something else', 'checkout.session.completed', { subscription: id, metadata: {} }],
    [
      'a checkout without a subscription',
      'checkout.session.completed',
      { subscription: null, metadata: { organisation_id: 'org_1' } },
    ],
    ['a card without a customer', 'payment_method.attached', { customer: null }],
  ])('%s', async (_, type, object) => {
    expect(await read(shop.stripe.deliver(type, object))).toBeNull();
  });
});

describe('a delivery', () => {
  const event = () =>
    shop.stripe.deliver('customer.updated', shop.stripe.account.customers.get(shop.customerId)!);
  const signedWith = (secret: string, payload: string) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: shop.now / 1000 });

  test.each<[string, (genuine: Delivery) => { body?: string; signature?: string | undefined }]>([
    ['without a signature', () => ({ signature: undefined })],
    ['with an invalid signature', () => ({ signature: 'none' })],
    ['with the signature of another event', () => ({ signature: event().signature })],
    ['with a signature by another secret', ({ body }) => ({ signature: signedWith('whsec_other', body) })],
    ['that was changed in transit', ({ body }) => ({ body: body.replace(shop.customerId, 'cus_2') })],
    ['that is signed but has no customer', () => shop.stripe.deliver('customer.updated', {})],
    [
      'that is signed but is no JSON',
      () => ({ body: '{', signature: signedWith(shop.stripe.webhookSecret, '{') }),
    ],
  ])('%s is refused', async (_, changes) => {
    const genuine = event();
    expect(await read(genuine)).toEqual({ customerId: shop.customerId });
    const error = await failed(read({ ...genuine, ...changes(genuine) }));
    expect(error).toBeInstanceOf(InvalidWebhookError);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(shop.customerId);
  });

  test('is accepted for five minutes, also repeatedly', async () => {
    const delivery = event();
    expect(await read(delivery, shop.now + 299_000)).toEqual({ customerId: shop.customerId });
    expect(await failed(read(delivery, shop.now + 301_000))).toBeInstanceOf(InvalidWebhookError);
  });
});
