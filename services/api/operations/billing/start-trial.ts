import { z } from '@hono/zod-openapi';
import { billingStatus } from '../../../../shared/control/aggregates/billing.js';
import { instant } from '../../../../shared/reads/answer/instant.js';
import { accountWrite } from '../../operation/operation.js';
import { planId, purchasablePlanId, subscriptionStatus, TAG } from './billing.js';

export const startTrial = accountWrite({
  id: 'startTrial',
  tag: TAG,
  path: '/billing/trial',
  summary: 'Try a plan without a card',
  description:
    'Once for an organisation on the Free plan, and once for a user account: 14 days, effective at once. Then the organisation falls back to Free by itself.',
  plans: 'all',
  conflict:
    'No trial is granted; `code` says why: trial_used_by_organisation, trial_used_by_user or already_subscribed.',
  conflictCodes: ['trial_used_by_organisation', 'trial_used_by_user', 'already_subscribed'],
  creates: true,
  body: z.object({ plan_id: purchasablePlanId }),
  answer: z.object({
    plan: planId,
    subscription_status: subscriptionStatus,
    trial_ends_at: instant,
  }),
  async run({ plan_id }, { caller, services, now, write }) {
    const organisation = await services.control.execute(
      {
        type: 'startTrial',
        organisationId: caller.organisation.id,
        userId: caller.apiKey.userId,
        planId: plan_id,
      },
      write,
      `Trial of the ${plan_id} plan started`,
    );
    return {
      plan: services.control.plan(organisation).id,
      subscription_status: billingStatus(organisation, now)!,
      trial_ends_at: organisation.trial!.endsAt,
    };
  },
});
