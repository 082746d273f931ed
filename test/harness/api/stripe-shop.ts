import { PassThrough } from 'node:stream';
import pino, { type Logger } from 'pino';
import { expect } from 'vitest';
import {
  createStripeProcessor,
  type StripeOptions,
} from '../../../services/api/billing/stripe/stripe-processor.js';
import type { PaymentProcessor } from '../../../shared/control/domain/payment-processor.js';
import { type StripeServer, startStripeServer } from '../stripe-server.js';

export const RETURN_URL = 'https://app.example/billing';

type Checkout = Parameters<PaymentProcessor['createCheckout']>[0];

/** A processor on its own Stripe, with the customer of the organisation `org_1`, at noon of 2026-11-21. */
export interface Shop {
  readonly stripe: StripeServer;
  readonly processor: PaymentProcessor;
  readonly customerId: string;
  /** Milliseconds since the epoch; tests change it. */
  now: number;
  readonly logger: Logger;
  /** The whole log as text. */
  log: string;
  /** Another processor on the same Stripe. */
  connect(options?: Partial<StripeOptions>): PaymentProcessor;
  /** By default a monthly Starter plan. */
  checkout(options?: Partial<Checkout>): Checkout;
  /** Buys it and returns the subscription's id. */
  subscribe(options?: Partial<Checkout>): Promise<string>;
}

export async function openShop(): Promise<Shop> {
  const observed = { now: Date.parse('2026-11-21T12:00:00Z'), log: '' };
  const now = () => observed.now;
  const stripe = await startStripeServer({ now });
  const stream = new PassThrough();
  stream.on('data', (line) => {
    observed.log += line;
  });
  const logger = pino({ level: 'trace' }, stream);
  const connect = (options: Partial<StripeOptions> = {}) =>
    createStripeProcessor({
      secretKey: stripe.secretKey,
      webhookSecret: stripe.webhookSecret,
      apiBase: stripe.url,
      firstMonthCoupon: 'first-month',
      timeoutMs: 200,
      now,
      logger,
      ...options,
    });
  const processor = connect();
  const acme = { organisationId: 'org_1', name: 'Acme', email: 'a@b.c' };
  const { customerId } = await processor.createCustomer(acme);
  stripe.requests.length = 0;
  const checkout = (options: Partial<Checkout> = {}): Checkout => ({
    organisationId: 'org_1',
    customerId,
    planId: 'starter',
    interval: 'monthly',
    trialDays: null,
    firstMonthDiscount: false,
    returnUrl: RETURN_URL,
    idempotencyKey: null,
    ...options,
  });
  return Object.assign(observed, {
    stripe,
    processor,
    customerId,
    logger,
    connect,
    checkout,
    async subscribe(options: Partial<Checkout> = {}) {
      const { url } = await processor.createCheckout(checkout(options));
      stripe.completeCheckout(url);
      return [...stripe.account.subscriptions.keys()].at(-1)!;
    },
  });
}

/** Returns the error of a call that must fail. */
export async function failed(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error!;
}

export function causeOf(error: Error): string {
  return (error.cause as Error).message;
}
