/**
 * The port to whoever takes the customers' money. Card data never passes through it (spec §4.1): the customer enters it
 * on pages of the processor's own, and what is known here is a subscription's state.
 */

export const billingIntervals = ['monthly', 'yearly'] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/** As Stripe names them (docs/billing.md says what each means for the plan). */
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

/** A subscription as it is now. Times are ISO 8601 in UTC. */
export interface SubscriptionSnapshot {
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly organisationId: string;
  readonly planId: string;
  readonly interval: BillingInterval;
  readonly status: SubscriptionStatus;
  /** Also of a trial that has ended; null: there never was one. */
  readonly trialEndsAt: string | null;
  readonly currentPeriodEndsAt: string | null;
  /** It goes on until `currentPeriodEndsAt` and is not renewed. */
  readonly cancelAtPeriodEnd: boolean;
  /** The next invoice can be charged without the customer. */
  readonly cardOnFile: boolean;
}

/** Whose state has changed, to be read again; null: nobody's. */
export type WebhookNotice = { readonly subscriptionId: string } | { readonly customerId: string } | null;

/**
 * Every call may throw PaymentUnavailableError or PaymentRefusedError. An idempotency key makes a repeat of the same call
 * answer what the first one did, for 24 hours at least. It is one organisation's alone; null: each call counts.
 */
export interface PaymentProcessor {
  /** The organisation's customer; called again it gives the same one, with its name and address brought up to date. */
  createCustomer(options: {
    readonly organisationId: string;
    readonly name: string;
    readonly email: string | null;
  }): Promise<{ readonly customerId: string }>;

  /**
   * A hosted payment page for a new subscription. Without `trialDays` (null, or none left) the first period is charged at
   * once. The discount is for the first month (spec §4.1), so a yearly subscription gets none.
   */
  createCheckout(options: {
    readonly organisationId: string;
    readonly customerId: string;
    readonly planId: string;
    readonly interval: BillingInterval;
    /** Whole days. */
    readonly trialDays: number | null;
    readonly firstMonthDiscount: boolean;
    /** Where the page sends the customer when done, and when given up. */
    readonly returnUrl: string;
    readonly idempotencyKey: string | null;
  }): Promise<{ readonly url: string }>;

  /**
   * Switches a live subscription in place (spec §3.7) and answers with what it is now. What the new plan costs more for
   * the rest of the period is charged at once, and where that fails nothing is switched; what it costs less is credited.
   */
  switchPlan(options: {
    readonly subscriptionId: string;
    readonly planId: string;
    readonly interval: BillingInterval;
    readonly idempotencyKey: string | null;
  }): Promise<SubscriptionSnapshot>;

  readSubscription(subscriptionId: string): Promise<SubscriptionSnapshot>;

  /** Loglane's subscriptions of a customer, ended ones too, newest first. */
  readSubscriptionsOf(customerId: string): Promise<SubscriptionSnapshot[]>;

  /** A page where the customer changes the card, reads invoices and cancels. It lives for minutes: ask for each visit. */
  portalUrl(options: { readonly customerId: string; readonly returnUrl: string }): Promise<string>;

  /**
   * Checks who sent a webhook and says what to read again. Nothing else is taken from it: deliveries come late, twice and
   * out of order, and what is read is always the present state.
   * @param options `body`: as it came, byte for byte; `now`: milliseconds since the epoch.
   * @throws InvalidWebhookError, and nothing else.
   */
  readWebhook(options: {
    readonly body: string;
    readonly signature: string | undefined;
    readonly now: number;
  }): Promise<WebhookNotice>;
}

/** Nothing the customer did: the processor is away, or what we told it is wrong. The cause says which. */
export class PaymentUnavailableError extends Error {}
/** The processor said no; the message is fit for the customer. */
export class PaymentRefusedError extends Error {}
/** Not from the processor, or too old. */
export class InvalidWebhookError extends Error {}
