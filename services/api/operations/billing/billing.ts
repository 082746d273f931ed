import { z } from '@hono/zod-openapi';
import { billingStatuses } from '../../../../shared/control/aggregates/billing.js';
import { isPurchasable, planIds, plans } from '../../../../shared/control/domain/plans.js';

/** Shared parts of the billing operations (spec §2.3, §4.1). */

export const TAG = 'Billing';

export const planId = z.enum(planIds);

const purchasable = plans.filter(isPurchasable).map(({ id }) => id) as [string, ...string[]];

export const purchasablePlanId = z.enum(purchasable).openapi({ example: 'starter' });

export const subscriptionStatus = z.enum(billingStatuses).openapi({
  description:
    'trial_nocard: the trial without a card is running. trial_expired: it ended without a purchase. The others are states of the subscription.',
});
