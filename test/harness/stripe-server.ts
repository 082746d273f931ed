import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import pino from 'pino';
import Stripe from 'stripe';
import { createStripeProcessor } from '../../services/api/billing/stripe/stripe-processor.js';
import type { PaymentProcessor } from '../../shared/control/domain/payment-processor.js';
import { createStripeAccount, type Form, type StripeAccount, StripeFailure } from './stripe-account.js';
import { answer } from './stripe-routes.js';

/**
 * Stripe for tests: an HTTP server with the part of its protocol that Loglane uses. That part is form-encoded
 * requests, JSON answers, Idempotency-Key and Stripe's error format. Like Stripe, it refuses unknown
 * parameters. Helpers simulate customers, banks and time, and return the webhooks that Stripe would send.
 * ```ts const stripe = await startStripeServer(); // STRIPE_API_BASE = stripe.url const { url } = await
 * processor.createCheckout(…); for (const { body, signature } of stripe.completeCheckout(url)) … // POST body
 * with Stripe-Signature: signature ```
 */
export interface StripeServer {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Every accepted request, in order. */
  readonly requests: StripeRequest[];
  readonly account: StripeAccount;
  /** The customer enters a card on the hosted page at `url` and pays. */
  completeCheckout(url: string): Delivery[];
  /** At the end of the period, as in the portal, or immediately, as by the operator. */
  cancel(subscriptionId: string, when?: 'now' | 'at_period_end'): Delivery[];
  /** The invoice of a new period is not paid. */
  failPayment(subscriptionId: string): Delivery[];
  /** Time passes, and the first invoice is paid. */
  endTrial(subscriptionId: string): Delivery[];
  /** The customer makes a card the default of all invoices. */
  addCard(customerId: string): Delivery[];
  removeCard(customerId: string): Delivery[];
  /** From now on banks refuse all charges, with a code and message of Stripe's. */
  declineCards(code?: string, message?: string): void;
  /** `fails`: answers 500; `limits`: 429; `drops`: closes connections; `hangs`: never answers. */
  goDown(how?: Outage): void;
  comeBack(): void;
  /** The next request is executed, but its answer never arrives: the connection is closed, or silent. */
  loseNextAnswer(how?: 'drops' | 'hangs'): void;
  /** A signed event of any type. `previous`: data.previous_attributes. */
  deliver(type: string, object: object, previous?: object): Delivery;
  stop(): Promise<void>;
}

export type Outage = 'fails' | 'limits' | 'drops' | 'hangs';

export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, string>;
  readonly idempotencyKey: string | undefined;
  readonly apiVersion: string | undefined;
}

/** A webhook call. */
export interface Delivery {
  readonly type: string;
  readonly body: string;
  /** Header Stripe-Signature. */
  readonly signature: string;
}

export async function startStripeServer({
  secretKey = 'sk_test_harness',
  webhookSecret = 'whsec_harness',
  coupons = ['first-month'] as readonly string[],
  now = Date.now,
} = {}): Promise<StripeServer> {
  const account = createStripeAccount(now, coupons);
  const requests: StripeRequest[] = [];
  const answered = new Map<string, { readonly request: string; readonly body: string }>();
  let outage: Outage | null = null;
  let losing: 'drops' | 'hangs' | null = null;

  const server = createServer(async (request, response) => {
    const form = await formOf(request);
    if (outage === 'hangs') return;
    if (outage === 'drops') return void request.socket.destroy();
    if (outage !== null) return send(response, outage === 'limits' ? 429 : 500, DOWN);
    try {
      if (request.headers.authorization !== `Bearer ${secretKey}`)
        throw new StripeFailure(401, {
          type: 'invalid_request_error',
          message: 'Invalid API Key provided.',
        });
      const { pathname } = new URL(request.url!, 'http://stripe');
      const idempotencyKey = header(request, 'idempotency-key');
      requests.push({
        method: request.method!,
        path: pathname,
        params: Object.fromEntries(form),
        idempotencyKey,
        apiVersion: header(request, 'stripe-version'),
      });
      const same = JSON.stringify([request.method, pathname, [...form]]);
      const before = idempotencyKey === undefined ? undefined : answered.get(idempotencyKey);
      if (before !== undefined && before.request !== same)
        throw new StripeFailure(400, {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        });
      const body = before?.body ?? JSON.stringify(answer(account, request.method!, pathname, form));
      if (idempotencyKey !== undefined) answered.set(idempotencyKey, { request: same, body });
      if (losing !== null) {
        if (losing === 'drops') request.socket.destroy();
        losing = null;
        return;
      }
      send(response, 200, body);
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      send(response, error.status, JSON.stringify({ error: error.error }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const subscription = (id: string) => account.subscriptions.get(id)!;
  const deliver = (type: string, object: object, previous?: object): Delivery => {
    const body = JSON.stringify({
      id: `evt_${crypto.randomUUID()}`,
      object: 'event',
      type,
      created: Math.floor(now() / 1000),
      data: { object, ...(previous && { previous_attributes: previous }) },
    });
    const timestamp = Math.floor(now() / 1000);
    const signed = { payload: body, secret: webhookSecret, timestamp };
    return { type, body, signature: Stripe.webhooks.generateTestHeaderString(signed) };
  };
  const updated = (id: string, changes: object) =>
    deliver('customer.subscription.updated', Object.assign(subscription(id), changes));
  const setCard = (customerId: string, card: string | null) => {
    const customer = account.customers.get(customerId)!;
    customer.invoice_settings.default_payment_method = card;
    return deliver('customer.updated', customer);
  };

  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    secretKey,
    webhookSecret,
    requests,
    account,
    deliver,
    completeCheckout(url) {
      const session = account.sessions.get(url.split('/').at(-1)!)!;
      const created = account.subscribe(session);
      const card = {
        id: created.default_payment_method,
        object: 'payment_method',
        customer: created.customer,
      };
      return [
        deliver('payment_method.attached', card),
        deliver('customer.subscription.created', created),
        deliver('checkout.session.completed', session),
      ];
    },
    cancel(id, when = 'now') {
      if (when === 'at_period_end')
        return [updated(id, { cancel_at: subscription(id).items.data[0].current_period_end })];
      return [
        deliver('customer.subscription.deleted', Object.assign(subscription(id), { status: 'canceled' })),
      ];
    },
    failPayment: (id) => [updated(id, { status: 'past_due' })],
    endTrial: (id) => [updated(id, { status: 'active' })],
    addCard: (customerId) => [
      deliver('payment_method.attached', { id: 'pm_new', object: 'payment_method', customer: customerId }),
      setCard(customerId, 'pm_new'),
    ],
    removeCard(customerId) {
      const removed = { id: 'pm_old', object: 'payment_method', customer: null };
      for (const each of account.subscriptions.values())
        if (each.customer === customerId) each.default_payment_method = null;
      return [
        setCard(customerId, null),
        deliver('payment_method.detached', removed, { customer: customerId }),
      ];
    },
    declineCards(code = 'card_declined', message = 'Your card was declined.') {
      account.decline = { code, message };
    },
    goDown(how = 'fails') {
      outage = how;
    },
    comeBack() {
      outage = null;
    },
    loseNextAnswer(how = 'drops') {
      losing = how;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DOWN = JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred' } });

async function formOf(request: IncomingMessage): Promise<Form> {
  let body = '';
  for await (const piece of request) body += piece;
  return new Map(
    new URLSearchParams(request.method === 'GET' ? new URL(request.url!, 'http://stripe').search : body),
  );
}

function header({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name] as string | undefined;
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_harness' }).end(body);
}

/** Loglane's own client for it. */
export function connectStripe(stripe: StripeServer, now: () => number = Date.now): PaymentProcessor {
  return createStripeProcessor({
    secretKey: stripe.secretKey,
    webhookSecret: stripe.webhookSecret,
    apiBase: stripe.url,
    firstMonthCoupon: 'first-month',
    timeoutMs: 5_000,
    now,
    logger: pino({ level: 'silent' }),
  });
}
