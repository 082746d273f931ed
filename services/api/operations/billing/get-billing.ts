import { z } from '@hono/zod-openapi';
import { billingStatus } from '../../../../shared/control/aggregates/billing.js';
import type { Organisation } from '../../../../shared/control/domain/model.js';
import { isPurchasable, plans } from '../../../../shared/control/domain/plans.js';
import { isTrialRunning, trialDaysLeft } from '../../../../shared/control/domain/trial.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import { type AccountContext, accountRead } from '../../operation/operation.js';
import { planId, purchasablePlanId, subscriptionStatus, TAG } from './billing.js';

const trial = z.object({
  plan_id: purchasablePlanId,
  started_at: instant,
  ends_at: instant,
  active: z.boolean().openapi({ description: 'Whether the trial is running.' }),
  days_remaining: z.int().openapi({ description: 'Days until its end, rounded up; 0 if it is not running.' }),
});

export const getBilling = accountRead({
  id: 'getBilling',
  tag: TAG,
  path: '/billing',
  summary: 'Plan, trial and subscription of the organisation',
  description:
    'The current plan and the available plans. `portal_url` is a page of the payment processor for cards, invoices and cancellation; it is valid for a few minutes.',
  plans: 'all',
  query: z.object({}),
  answer: z.object({
    org_id: z.string(),
    plan: planId.openapi({ description: 'The current plan; a running trial counts.' }),
    plan_name: z.string().openapi({ example: 'Starter' }),
    subscription_status: subscriptionStatus.nullable(),
    trial: trial.nullable(),
    card_on_file: z.boolean(),
    portal_url: z.url().nullable().openapi({
      description: 'null before the first checkout and while the payment processor does not answer.',
    }),
    available_plans: z.array(
      z.object({
        id: purchasablePlanId,
        name: z.string(),
        price_monthly_usd: z.int(),
        trial_period_days: z.int(),
      }),
    ),
  }),
  async run(_input, context) {
    const { caller, services, now } = context;
    const { organisation } = caller;
    const plan = services.control.plan(organisation);
    return {
      org_id: organisation.id,
      plan: plan.id,
      plan_name: plan.name,
      subscription_status: billingStatus(organisation, now),
      trial: toTrial(organisation, now),
      card_on_file: organisation.subscription?.cardOnFile ?? false,
      portal_url: await portalUrl(context),
      available_plans: plans.filter(isPurchasable).map(({ id, name, priceMonthlyUsd, trialDays }) => ({
        id,
        name,
        price_monthly_usd: priceMonthlyUsd,
        trial_period_days: trialDays,
      })),
    };
  },
});

function toTrial(organisation: Organisation, now: number): z.input<typeof trial> | null {
  if (organisation.trial === null) return null;
  const { planId, startedAt, endsAt } = organisation.trial;
  return {
    plan_id: planId,
    started_at: startedAt,
    ends_at: endsAt,
    active: isTrialRunning(organisation, now),
    days_remaining: trialDaysLeft(organisation, now),
  };
}

/** Billing can be read while the payment processor is down. */
async function portalUrl({ caller, services }: AccountContext): Promise<string | null> {
  const { customerId } = caller.organisation;
  if (customerId === null || services.payments === null) return null;
  return services.payments.portalUrl({ customerId, returnUrl: services.billingReturnUrl }).catch(() => null);
}
