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
    'Starts a trial of 14 days at once. Each organisation on the Free plan and each user account can do this once. After the trial the organisation returns to Free.',
  plans: 'all',
  conflict:
    'The trial is refused; `code` says why: trial_used_by_organisation, trial_used_by_user or already_subscribed.',
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
