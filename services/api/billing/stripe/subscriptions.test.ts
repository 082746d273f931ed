import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  PaymentRefusedError,
  PaymentUnavailableError,
  type SubscriptionSnapshot,
  subscriptionStatuses,
} from '../../../../shared/control/domain/payment-processor.js';
import { causeOf, failed, openShop, type Shop } from '../../../../test/harness/api/stripe-shop.js';
import { snapshotOf } from './snapshot.js';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.stop());

const sent = (path: string) => shop.stripe.requests.filter((request) => request.path === path);

/** A subscription as Stripe shows it. */
async function bought(): Promise<Stripe.Subscription> {
  const id = await shop.subscribe();
  return shop.stripe.account.readSubscription(
    id,
    new Map([['expand[0]', 'customer']]),
  ) as Stripe.Subscription;
}

describe('a subscription', () => {
  test('in its trial', async () => {
    const subscriptionId = await shop.subscribe({ planId: 'growth', trialDays: 9 });
    expect(await shop.processor.readSubscription(subscriptionId)).toEqual({
      subscriptionId,
      customerId: shop.customerId,
      organisationId: 'org_1',
      planId: 'growth',
      interval: 'monthly',
      status: 'trialing',
      trialEndsAt: '2026-11-30T12:00:00.000Z',
      currentPeriodEndsAt: '2026-11-30T12:00:00.000Z',
      cancelAtPeriodEnd: false,
      cardOnFile: true,
    });
  });

  test('through its life', async () => {
    const id = await shop.subscribe({ interval: 'yearly' });
    const read = () => shop.processor.readSubscription(id);
    expect(await read()).toMatchObject({ status: 'active', interval: 'yearly', trialEndsAt: null });
    shop.stripe.failPayment(id);
    expect(await read()).toMatchObject({ status: 'past_due' });
    shop.stripe.removeCard(shop.customerId);
    expect(await read()).toMatchObject({ cardOnFile: false });
    shop.stripe.addCard(shop.customerId);
    expect(await read()).toMatchObject({ cardOnFile: true });
    shop.stripe.cancel(id, 'at_period_end');
    expect(await read()).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: true });
    shop.stripe.cancel(id);
    expect(await read()).toMatchObject({ status: 'canceled', planId: 'starter' });
  });

  test('of a customer: newest first, also ended ones, only Loglane’s', async () => {
    const ids = [await shop.subscribe(), await shop.subscribe({ planId: 'scale' }), await shop.subscribe()];
    shop.stripe.cancel(ids[0]!);
    shop.stripe.removeCard(shop.customerId);
    shop.stripe.addCard(shop.customerId);
    shop.stripe.account.subscriptions.get(ids[2]!)!.metadata = {};
    expect(await shop.processor.readSubscriptionsOf(shop.customerId)).toMatchObject([
      { subscriptionId: ids[1], status: 'active', planId: 'scale', cardOnFile: true },
      { subscriptionId: ids[0], status: 'canceled' },
    ]);
  });

  test('of a customer who never bought: none', async () => {
    expect(await shop.processor.readSubscriptionsOf(shop.customerId)).toEqual([]);
  });

  const end = Date.parse('2026-12-21T12:00:00Z') / 1000;
  const standing = { id: 'cus_1', invoice_settings: { default_payment_method: null }, default_source: null };
  const cardless = { default_payment_method: null };
  test.each<[string, object, Partial<SubscriptionSnapshot>]>([
    [
      'that ends with its period, in classic mode',
      { cancel_at_period_end: true },
      { cancelAtPeriodEnd: true },
    ],
    ['that ends with its period, in flexible mode', { cancel_at: end }, { cancelAtPeriodEnd: true }],
    ['that ends some periods later', { cancel_at: end + 1 }, { cancelAtPeriodEnd: false }],
    ['with an older kind of card', { ...cardless, default_source: 'card_1' }, { cardOnFile: true }],
    [
      'of a customer with an older kind of card',
      { ...cardless, customer: { ...standing, default_source: 'card_1' } },
      { cardOnFile: true },
    ],
    ['of a customer without a card', { ...cardless, customer: standing }, { cardOnFile: false }],
    [
      'of a customer who is gone',
      { ...cardless, customer: { id: 'cus_1', deleted: true } },
      { cardOnFile: false },
    ],
    ...subscriptionStatuses.map((status): [string, object, object] => [
      `that is ${status}`,
      { status },
      { status },
    ]),
  ])('%s', async (_, changes, expected) => {
    expect(snapshotOf({ ...(await bought()), ...changes })).toMatchObject(expected);
  });

  test.each<[string, object, string]>([
    ['in a status that came later', { status: 'dormant' }, 'dormant'],
    ['of another product', { metadata: {} }, 'organisation_id'],
    ['to nothing', { items: { data: [] } }, 'items'],
  ])('%s is an error', async (_, changes, problem) => {
    const subscription = { ...(await bought()), ...changes };
    expect(() => snapshotOf(subscription)).toThrow(PaymentUnavailableError);
    expect(causeOf(await failed((async () => snapshotOf(subscription))()))).toContain(problem);
  });

  test('moved to a price of another product is an error', async () => {
    const id = await shop.subscribe();
    shop.stripe.account.priceOf('loglane_starter_monthly').lookup_key = 'coffee';
    const error = await failed(shop.processor.readSubscription(id));
    expect(error).toBeInstanceOf(PaymentUnavailableError);
    expect(causeOf(error)).toContain("no plan's");
  });

  test('with another item besides its plan still has that plan', async () => {
    const subscription = await bought();
    const [item] = subscription.items.data;
    const other = { ...item!, price: { ...item!.price, lookup_key: 'coffee' } };
    const items = { ...subscription.items, data: [other, item!] };
    expect(snapshotOf({ ...subscription, items })).toMatchObject({ planId: 'starter' });
  });

  test('with an unknown id is an error of ours, not of the customer', async () => {
    const error = await failed(shop.processor.readSubscription('sub_0'));
    expect(error).toBeInstanceOf(PaymentUnavailableError);
    expect(causeOf(error)).toContain("No such subscription: 'sub_0'");
  });
});

describe('switching the plan', () => {
  const to = (subscriptionId: string, planId = 'scale') =>
    shop.processor.switchPlan({ subscriptionId, planId, interval: 'yearly', idempotencyKey: 'k' });

  test('changes the subscription in place, charges the difference at once and returns the new state', async () => {
    const subscriptionId = await shop.subscribe();
    shop.stripe.removeCard(shop.customerId);
    shop.stripe.addCard(shop.customerId);
    const after = await to(subscriptionId);
    expect(after).toMatchObject({ subscriptionId, planId: 'scale', interval: 'yearly', status: 'active' });
    expect(after).toEqual(await shop.processor.readSubscription(subscriptionId));
    expect(after.cardOnFile).toBe(true);
    expect(sent(`/v1/subscriptions/${subscriptionId}`).find(({ method }) => method === 'POST')).toMatchObject(
      {
        idempotencyKey: 'k',
        params: { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' },
      },
    );
  });

  test('is refused with the bank’s reason if the card is declined, and nothing is switched', async () => {
    const subscriptionId = await shop.subscribe();
    shop.stripe.declineCards();
    const error = await failed(to(subscriptionId));
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error.message).toBe('Your card was declined.');
    expect(await shop.processor.readSubscription(subscriptionId)).toMatchObject({ planId: 'starter' });
  });

  test('is refused with a message for the customer if the bank requires a confirmation', async () => {
    const subscriptionId = await shop.subscribe();
    shop.stripe.declineCards(
      'subscription_payment_intent_requires_action',
      'Payment can be completed using the PaymentIntent of the latest invoice.',
    );
    const error = await failed(to(subscriptionId));
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error.message).toMatch(/^The bank wants the payment confirmed/);
  });

  test('is refused without a card', async () => {
    const subscriptionId = await shop.subscribe();
    shop.stripe.removeCard(shop.customerId);
    const error = await failed(to(subscriptionId));
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error.message).toContain('no card on file');
  });

  test('is refused for an ended subscription', async () => {
    const subscriptionId = await shop.subscribe();
    shop.stripe.cancel(subscriptionId);
    const error = await failed(to(subscriptionId));
    expect(error).toBeInstanceOf(PaymentRefusedError);
    expect(error.message).toContain('canceled');
  });
});
