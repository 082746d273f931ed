import { isPurchasable, plans } from '../../shared/control/domain/plans.js';

/**
 * A Stripe account in memory: the objects that Loglane uses, with Stripe's documented fields and refusals
 * (https://docs.stripe.com/api). `stripe-server.ts` serves it over HTTP. A month has 30 days here, a year
 * 365.
 */

export type Form = ReadonlyMap<string, string>;
type StripeObject = Record<string, any>;

/** An answer in Stripe's error format. */
export class StripeFailure extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; message: string; code?: string; param?: string },
  ) {
    super(error.message);
  }
}

const invalid = (message: string, details: { code?: string; param?: string } = {}, status = 400) =>
  new StripeFailure(status, { type: 'invalid_request_error', message, ...details });
const missing = (kind: string, id: unknown, param: string, status = 400) =>
  invalid(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, status);

const DAY = 86_400;
const periodOf = ({ recurring }: StripeObject) => (recurring.interval === 'year' ? 365 : 30) * DAY;

export interface StripeAccount {
  readonly customers: Map<string, StripeObject>;
  readonly sessions: Map<string, StripeObject>;
  readonly subscriptions: Map<string, StripeObject>;
  /** The banks' refusal of all charges; null: they pay. */
  decline: { readonly code: string; readonly message: string } | null;
  createCustomer(form: Form): StripeObject;
  updateCustomer(id: string, form: Form): StripeObject;
  listPrices(form: Form): StripeObject;
  /** The price with the lookup key. */
  priceOf(lookupKey: string): StripeObject;
  /** Creates a new price with this lookup key, which the old price loses (transfer_lookup_key). */
  replacePrice(lookupKey: string, changes?: StripeObject): void;
  createSession(form: Form): StripeObject;
  /** The subscription of a paid session. */
  subscribe(session: StripeObject): StripeObject;
  readSubscription(id: string, form: Form): StripeObject;
  listSubscriptions(form: Form): StripeObject;
  updateSubscription(id: string, form: Form): StripeObject;
  createPortalSession(form: Form): StripeObject;
}

/**
 * `coupons`: ids of the existing ones. Prices: those of every purchasable plan, under Loglane's lookup keys.
 */
export function createStripeAccount(now: () => number, coupons: readonly string[]): StripeAccount {
  let count = 0;
  const make = (object: string, prefix: string, members: StripeObject): StripeObject => {
    const id = `${prefix}_${String(++count).padStart(6, '0')}`;
    return { id, object, created: Math.floor(now() / 1000), livemode: false, ...members };
  };
  const prices: StripeObject[] = [];
  const addPrice = (lookupKey: string, unitAmount: number, interval: string) =>
    prices.push(
      make('price', 'price', {
        active: true,
        currency: 'usd',
        lookup_key: lookupKey,
        metadata: {},
        recurring: { interval, interval_count: 1, usage_type: 'licensed' },
        type: 'recurring',
        unit_amount: unitAmount,
      }),
    );
  for (const { id, priceMonthlyUsd } of plans.filter(isPurchasable)) {
    addPrice(`loglane_${id}_monthly`, priceMonthlyUsd * 100, 'month');
    addPrice(`loglane_${id}_yearly`, priceMonthlyUsd * 1000, 'year');
  }

  const list = (url: string, data: StripeObject[], form: Form) => {
    const limit = Number(form.get('limit') ?? 10);
    return { object: 'list', url, has_more: data.length > limit, data: data.slice(0, limit) };
  };
  const activePrice = (form: Form, param: string) => {
    const price = prices.find(({ id }) => id === form.get(param));
    if (price === undefined) throw missing('price', form.get(param), param);
    return price;
  };
  const find = (objects: Map<string, StripeObject>, kind: string, id: string) => {
    const found = objects.get(id);
    if (found === undefined) throw missing(kind, id, 'id', 404);
    return found;
  };
  const named = (form: Form) => {
    const id = form.get('customer');
    if (!account.customers.has(id ?? '')) throw missing('customer', id, 'customer');
    return id!;
  };
  const expanded = (subscription: StripeObject, form: Form, path: string) =>
    [...form].some(([name, value]) => name.startsWith('expand[') && value === path)
      ? { ...subscription, customer: account.customers.get(subscription.customer) }
      : subscription;

  const account: StripeAccount = {
    customers: new Map(),
    sessions: new Map(),
    subscriptions: new Map(),
    decline: null,

    createCustomer(form) {
      const customer = make('customer', 'cus', {
        name: form.get('name') ?? null,
        email: form.get('email') ?? null,
        metadata: nested(form, 'metadata'),
        default_source: null,
        invoice_settings: { default_payment_method: null },
      });
      account.customers.set(customer.id, customer);
      return customer;
    },

    updateCustomer(id, form) {
      const customer = find(account.customers, 'customer', id);
      if (!(form.get('email') ?? '@').includes('@'))
        throw invalid('Invalid email address', { code: 'email_invalid', param: 'email' });
      for (const name of ['name', 'email']) if (form.has(name)) customer[name] = form.get(name);
      return customer;
    },

    listPrices(form) {
      const keys = Object.values(nested(form, 'lookup_keys'));
      const active = form.get('active');
      const found = prices.filter(
        (price) =>
          (keys.length === 0 || keys.includes(price.lookup_key)) &&
          (active === undefined || String(price.active) === active),
      );
      return list('/v1/prices', found, form);
    },

    priceOf: (lookupKey) => prices.find((price) => price.lookup_key === lookupKey)!,

    replacePrice(lookupKey, changes = {}) {
      const before = account.priceOf(lookupKey);
      addPrice(lookupKey, before.unit_amount, before.recurring.interval);
      Object.assign(prices.at(-1)!, changes);
      before.lookup_key = null;
    },

    createSession(form) {
      const customer = named(form);
      const price = activePrice(form, 'line_items[0][price]');
      const coupon = form.get('discounts[0][coupon]');
      if (coupon !== undefined && !coupons.includes(coupon))
        throw missing('coupon', coupon, 'discounts[0][coupon]');
      const days = form.get('subscription_data[trial_period_days]');
      if (days !== undefined && !/^[1-9]\d*$/.test(days))
        throw invalid('Invalid integer', { param: 'subscription_data[trial_period_days]' });
      if (form.get('mode') !== 'subscription') throw invalid('Recurring prices need mode=subscription');
      const session = make('checkout.session', 'cs_test', {
        mode: 'subscription',
        status: 'open',
        customer,
        client_reference_id: form.get('client_reference_id') ?? null,
        metadata: nested(form, 'metadata'),
        subscription: null,
        success_url: form.get('success_url'),
      });
      session.url = `https://checkout.stripe.com/c/pay/${session.id}`;
      account.sessions.set(session.id, session);
      // The order of the future subscription, which Stripe does not show.
      Object.defineProperty(session, 'order', {
        value: {
          price,
          coupon,
          days: Number(days ?? 0),
          metadata: nested(form, 'subscription_data[metadata]'),
        },
      });
      return session;
    },

    subscribe(session) {
      const { price, coupon, days, metadata } = session.order;
      const start = Math.floor(now() / 1000);
      const trialEnd = days > 0 ? start + days * DAY : null;
      const item = make('subscription_item', 'si', {
        price,
        quantity: 1,
        current_period_start: start,
        current_period_end: trialEnd ?? start + periodOf(price),
      });
      const subscription = make('subscription', 'sub', {
        customer: session.customer,
        status: trialEnd === null ? 'active' : 'trialing',
        metadata,
        items: { object: 'list', has_more: false, data: [item] },
        discounts: coupon === undefined ? [] : [coupon],
        trial_end: trialEnd,
        cancel_at: null,
        cancel_at_period_end: false,
        default_payment_method: make('payment_method', 'pm', {}).id,
        default_source: null,
      });
      account.subscriptions.set(subscription.id, subscription);
      Object.assign(session, { status: 'complete', subscription: subscription.id });
      return subscription;
    },

    readSubscription: (id, form) =>
      expanded(find(account.subscriptions, 'subscription', id), form, 'customer'),

    listSubscriptions(form) {
      const customer = named(form);
      const status = form.get('status');
      const found = [...account.subscriptions.values()]
        .filter((each) => each.customer === customer)
        .filter(
          (each) => status === 'all' || each.status === status || (!status && each.status !== 'canceled'),
        )
        .reverse()
        .map((each) => expanded(each, form, 'data.customer'));
      return list('/v1/subscriptions', found, form);
    },

    updateSubscription(id, form) {
      const subscription = find(account.subscriptions, 'subscription', id);
      if (subscription.status === 'canceled')
        throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
      const item = subscription.items.data[0];
      if (form.get('items[0][id]') !== item.id)
        throw missing('subscription item', form.get('items[0][id]'), 'items[0][id]');
      const price = activePrice(form, 'items[0][price]');
      const otherInterval = price.recurring.interval !== item.price.recurring.interval;
      if (subscription.status !== 'trialing' && (otherInterval || price.unit_amount > item.price.unit_amount))
        charge(account, subscription);
      if (otherInterval && subscription.status !== 'trialing')
        item.current_period_end = Math.floor(now() / 1000) + periodOf(price);
      item.price = price;
      Object.assign(subscription.metadata, nested(form, 'metadata'));
      return expanded(subscription, form, 'customer');
    },

    createPortalSession(form) {
      const session = make('billing_portal.session', 'bps', { customer: named(form) });
      return { ...session, url: `https://billing.stripe.com/p/session/${session.id}` };
    },
  };
  return account;
}

/** A failed payment does not change the subscription (payment_behavior=error_if_incomplete). */
function charge({ decline, customers }: StripeAccount, subscription: StripeObject): void {
  const customer = customers.get(subscription.customer)!;
  if (
    subscription.default_payment_method === null &&
    customer.invoice_settings.default_payment_method === null
  )
    throw invalid('This customer has no attached payment source or default payment method.', {
      code: 'resource_missing',
    });
  if (decline !== null) throw new StripeFailure(402, { type: 'card_error', ...decline });
}

/** `name[a]=1&name[b]=2` → `{ a: 1, b: 2 }`. */
function nested(form: Form, name: string): Record<string, string> {
  const members = [...form].filter(([key]) => key.startsWith(`${name}[`));
  return Object.fromEntries(members.map(([key, value]) => [key.slice(name.length + 1, -1), value]));
}
