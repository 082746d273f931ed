/**
 * The port to the payment processor. Card data never passes through it (spec §4.1): the customer enters it on the
 * processor's own pages. Only a subscription's state is known here.
 */

export const billingIntervals = ['monthly', 'yearly'] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/** Named as in Stripe (docs/billing.md describes their effect on the plan). */
export const subscriptionStatuses = [
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A subscription's present state. Times are ISO 8601 in UTC. */
export interface SubscriptionSnapshot {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly organisationId: string;
  readonly planId: string;
  readonly interval: BillingInterval;
  readonly status: SubscriptionStatus;
  /** Also set for an ended trial; null: there never was one. */
  readonly trialEndsAt: string | null;
  readonly currentPeriodEndsAt: string | null;
  /** It ends at `currentPeriodEndsAt` without renewal. */
  readonly cancelAtPeriodEnd: boolean;
  /** The next invoice can be charged without the customer. */
  readonly cardOnFile: boolean;
}

/** The object whose state has changed and must be read again; null: none. */
export type WebhookNotice = { readonly subscriptionId: string } | { readonly customerId: string } | null;

/**
 * Every call may throw PaymentUnavailableError or PaymentRefusedError. An idempotency key makes a repeat of the same
 * call return the first result, for at least 24 hours. It is specific to one organisation; null: each call counts.
 */
export interface PaymentProcessor {
  /** The organisation's customer. Repeated calls return the same one, and update its name and address. */
  createCustomer(options: {
    readonly organisationId: string;
    readonly name: string;
    readonly email: string | null;
  }): Promise<{ readonly customerId: string }>;

  /**
   * A hosted payment page for a new subscription. Without `trialDays` (null, or none left) the first period is charged
   * at once. The discount applies to the first month (spec §4.1), so a yearly subscription gets none.
   */
  createCheckout(options: {
    readonly organisationId: string;
    readonly customerId: string;
    readonly planId: string;
    readonly interval: BillingInterval;
    /** Whole days. */
    readonly trialDays: number | null;
    readonly firstMonthDiscount: boolean;
    /** Page to which the customer returns, after success or cancellation. */
    readonly returnUrl: string;
    readonly idempotencyKey: string | null;
  }): Promise<{ readonly url: string }>;

  /**
   * Switches a live subscription in place (spec §3.7). @returns its new state. A higher price for the rest of the
   * period is charged at once; if that fails, nothing is switched. A lower price is credited.
   */
  switchPlan(options: {
    readonly subscriptionId: string;
    readonly planId: string;
    readonly interval: BillingInterval;
    readonly idempotencyKey: string | null;
  }): Promise<SubscriptionSnapshot>;

  readSubscription(subscriptionId: string): Promise<SubscriptionSnapshot>;

  /** Loglane's subscriptions of a customer, including ended ones, newest first. */
  readSubscriptionsOf(customerId: string): Promise<SubscriptionSnapshot[]>;

  /**
   * A page where the customer changes the card, reads invoices and cancels. It is valid for minutes: request one for
   * each visit.
   */
  portalUrl(options: { readonly customerId: string; readonly returnUrl: string }): Promise<string>;

  /**
   * Verifies the sender of a webhook and returns the object to read again. Nothing else of it is used: deliveries may
   * be late, repeated or out of order, and a read always returns the present state.
   * @param options `body`: the unchanged bytes; `now`: milliseconds since the epoch.
   * @throws only InvalidWebhookError.
   */
  readWebhook(options: {
    readonly body: string;
    readonly signature: string | undefined;
    readonly now: number;
  }): Promise<WebhookNotice>;
}

/** Not the customer's fault: the processor is unavailable, or our request is wrong. See the cause. */
export class PaymentUnavailableError extends Error {}
/** The processor refused; the message may be shown to the customer. */
export class PaymentRefusedError extends Error {}
/** Not from the processor, or too old. */
export class InvalidWebhookError extends Error {}
