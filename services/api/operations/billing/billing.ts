import { z } from '@hono/zod-openapi';
import { billingStatuses } from '../../../../shared/control/aggregates/billing.js';
import { isPurchasable, planIds, plans } from '../../../../shared/control/domain/plans.js';

/** What the operations on billing share (spec §2.3, §4.1). */

export const TAG = 'Billing';

export const planId = z.enum(planIds);

const purchasable = plans.filter(isPurchasable).map(({ id }) => id) as [string, ...string[]];

/** A plan that anybody may buy. */
export const purchasablePlanId = z.enum(purchasable).openapi({ example: 'starter' });

export const subscriptionStatus = z.enum(billingStatuses).openapi({
  description:
    'trial_nocard: in the trial without a card; trial_expired: that trial is over and nothing was bought; the others are those of the subscription.',
});
