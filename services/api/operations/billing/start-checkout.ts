import { z } from '@hono/zod-openapi';
import { billingStatus, isLive } from '../../../../shared/control/aggregates/billing.js';
import type { Subscription } from '../../../../shared/control/domain/model.js';
import {
  billingIntervals,
  type PaymentProcessor,
} from '../../../../shared/control/domain/payment-processor.js';
import { trialDaysLeft } from '../../../../shared/control/domain/trial.js';
import { PublicError } from '../../../../shared/errors.js';
import { keepSubscription } from '../../billing/sync-subscription.js';
import { type AccountWriteContext, accountWrite } from '../../operation/operation.js';
import { planId, purchasablePlanId, subscriptionStatus, TAG } from './billing.js';

const body = z.object({
  plan_id: purchasablePlanId,
  interval: z.enum(billingIntervals).default('monthly'),
});
type Choice = z.output<typeof body>;

const answer = z.object({
  checkout_url: z.url().nullable().openapi({
    description: 'Payment page for the customer; null: the plan was switched in place.',
  }),
  switched: z.boolean().openapi({ description: 'Whether a live subscription was switched in place.' }),
  plan: planId.openapi({ description: 'The current plan.' }),
  subscription_status: subscriptionStatus.nullable(),
});

export const startCheckout = accountWrite({
  id: 'startCheckout',
  tag: TAG,
  path: '/billing/checkout',
  summary: 'Buy a plan, or switch to another',
  description:
    'Opens a payment page; card data never passes through this API. The remaining days of a trial without a card are added to the subscription, and the first month is discounted. A live subscription is switched in place, with proration and without a payment page.',
  plans: 'all',
  conflictCodes: ['already_on_plan', 'payment_refused'],
  conflict:
    'The subscription already has this plan and interval (`code` already_on_plan), or the payment processor refuses (payment_refused).',
  unavailable: 'No payment processor is configured, or it does not answer.',
  creates: true,
  body,
  answer,
  async run(choice, context) {
    const { payments } = context.services;
    if (payments === null) {
      throw new PublicError('unavailable', 'This installation has no payment processor configured.');
    }
    const { subscription } = context.caller.organisation;
    return subscription !== null && isLive(subscription)
      ? switchInPlace(subscription, choice, { ...context, payments })
      : openPage(choice, { ...context, payments });
  },
});

type Context = AccountWriteContext & { readonly payments: PaymentProcessor };

async function switchInPlace(
  subscription: Subscription,
  { plan_id, interval }: Choice,
  { caller, services, payments, now, write }: Context,
): Promise<z.input<typeof answer>> {
  if (subscription.planId === plan_id && subscription.interval === interval) {
    throw new PublicError('conflict', `The subscription already is ${plan_id}, paid ${interval}.`, {
      fields: { code: 'already_on_plan' },
    });
  }
  const current = await payments.switchPlan({
    subscriptionId: subscription.id,
    planId: plan_id,
    interval,
    idempotencyKey: write.idempotency?.id ?? null,
  });
  const organisation = await keepSubscription(services.control, current, now);
  const choice = { planId: plan_id, interval, switched: true };
  await services.control.execute(
    {
      type: 'startCheckout',
      organisationId: caller.organisation.id,
      customerId: current.customerId,
      ...choice,
    },
    write,
    `Subscription switched to the ${plan_id} plan, paid ${interval}`,
  );
  return {
    checkout_url: null,
    switched: true,
    plan: services.control.plan(organisation).id,
    subscription_status: billingStatus(organisation, now),
  };
}

async function openPage(
  { plan_id, interval }: Choice,
  { caller, services, payments, now, write }: Context,
): Promise<z.input<typeof answer>> {
  const { organisation, apiKey } = caller;
  const { users } = services.control.state();
  const customerId =
    organisation.customerId ??
    (
      await payments.createCustomer({
        organisationId: organisation.id,
        name: organisation.name,
        email: (apiKey.userId === null ? undefined : users.get(apiKey.userId)?.email) ?? null,
      })
    ).customerId;
  const trialDays = trialDaysLeft(organisation, now);
  const { url } = await payments.createCheckout({
    organisationId: organisation.id,
    customerId,
    planId: plan_id,
    interval,
    trialDays: trialDays === 0 ? null : trialDays,
    firstMonthDiscount: trialDays > 0,
    returnUrl: services.billingReturnUrl,
    idempotencyKey: write.idempotency?.id ?? null,
  });
  const choice = { planId: plan_id, interval, switched: false };
  await services.control.execute(
    { type: 'startCheckout', organisationId: organisation.id, customerId, ...choice },
    write,
    `Checkout of the ${plan_id} plan, paid ${interval}, started`,
  );
  return {
    checkout_url: url,
    switched: false,
    plan: services.control.plan(organisation).id,
    subscription_status: billingStatus(organisation, now),
  };
}
