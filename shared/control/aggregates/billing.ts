import { z } from 'zod';
import { DAY_MS } from '../../durations.js';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, loneEvent, nextEvent } from '../domain/event.js';
import type { Organisation, Subscription } from '../domain/model.js';
import { billingIntervals, subscriptionStatuses } from '../domain/payment-processor.js';
import { findPlan, isPurchasable, planOf } from '../domain/plans.js';
import type { WritableState } from '../domain/state.js';
import { isTrialRunning, supersede } from '../domain/trial.js';
import { unknownOrganisation } from './organisation.js';
import { claim, isClaimed, trialName } from './unique-name.js';

/** Trial and subscription of an organisation (spec §2.3, §3.7). */

const ORGANISATION = 'organisation';

export const trialStarted = eventKind({
  aggregate: ORGANISATION,
  type: 'organisation.trial_started',
  schema: z.object({ planId: z.string(), endsAt: z.string() }),
  evolve(state, id, { planId, endsAt }, at) {
    change(state, id, { trial: { planId, startedAt: at, endsAt, supersededAt: null } });
  },
});

export const customerLinked = eventKind({
  aggregate: ORGANISATION,
  type: 'organisation.customer_linked',
  schema: z.object({ customerId: z.string() }),
  evolve(state, id, { customerId }) {
    change(state, id, { customerId });
  },
});

const chosen = {
  planId: z.string(),
  interval: z.enum(billingIntervals),
  /** true: a live subscription was switched in place; false: a payment page was opened. */
  switched: z.boolean(),
};

export const checkoutStarted = eventKind({
  aggregate: 'checkout',
  type: 'checkout.started',
  schema: z.object(chosen),
  evolve() {},
});

const subscriptionFields = z.object({
  id: z.string(),
  planId: z.string(),
  interval: z.enum(billingIntervals),
  status: z.enum(subscriptionStatuses),
  trialEndsAt: z.string().nullable(),
  currentPeriodEndsAt: z.string().nullable(),
  cancelAtPeriodEnd: z.boolean(),
  cardOnFile: z.boolean(),
  observedAt: z.string(),
});

/** The plan follows the subscription: the bought plan while it is live, Free when it has ended. */
export const subscriptionChanged = eventKind({
  aggregate: ORGANISATION,
  type: 'organisation.subscription_changed',
  schema: subscriptionFields,
  evolve(state, id, subscription, at) {
    const { trial, planId, subscription: before } = state.organisations.get(id)!;
    if (isLive(subscription)) {
      change(state, id, { subscription, planId: subscription.planId, trial: supersede(trial, at) });
    } else {
      // A plan that the operator has set meanwhile stays.
      const ends = before !== null && isLive(before) && planId === before.planId;
      change(state, id, { subscription, planId: ends ? 'free' : planId });
    }
  },
});

function change(state: WritableState, id: string, fields: Partial<Organisation>): void {
  state.organisations.put({ ...state.organisations.get(id)!, ...fields });
}

/** Paid, in a trial with a card, or with a payment being retried. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status === 'trialing' || status === 'active' || status === 'past_due';
}

/** Our own statuses, then those of the payment processor. */
export const billingStatuses = ['trial_nocard', 'trial_expired', ...subscriptionStatuses] as const;
export type BillingStatus = (typeof billingStatuses)[number];

/** Billing status at `now` (milliseconds since the epoch); null: neither trial nor subscription. */
export function billingStatus(organisation: Organisation, now: number): BillingStatus | null {
  const { subscription, trial } = organisation;
  if (subscription !== null) return subscription.status;
  if (trial === null || trial.supersededAt !== null) return null;
  return isTrialRunning(organisation, now) ? 'trial_nocard' : 'trial_expired';
}

/** One per organisation and user account, from the Free plan (spec §3.7, §8). */
export const startTrial = commandKind({
  schema: z.strictObject({
    organisationId: z.string(),
    /** Owner of the calling key; null: it has none. */
    userId: z.string().nullable(),
    planId: z.string(),
  }),
  decide(state, { organisationId, userId, planId }, { now }) {
    const organisation = state.organisations.get(organisationId);
    if (organisation === undefined) return unknownOrganisation(organisationId);
    const plan = findPlan(planId);
    if (plan === undefined || !isPurchasable(plan) || plan.trialDays === 0)
      return refuse('invalid_request', `plan_id: there is no trial of "${planId}"`);
    if (organisation.trial !== null)
      return refuse('conflict', 'this organisation has had its trial', 'trial_used_by_organisation');
    if (planOf(organisation, now).id !== 'free' || organisation.subscription !== null)
      return refuse('conflict', 'this organisation has or had a paid plan', 'already_subscribed');
    if (userId !== null && isClaimed(state, trialName(userId)))
      return refuse('conflict', 'this user account has had its trial', 'trial_used_by_user');
    const endsAt = new Date(now + plan.trialDays * DAY_MS).toISOString();
    return {
      events: [
        nextEvent(state, trialStarted, organisationId, { planId, endsAt }),
        ...(userId === null ? [] : [claim(state, trialName(userId), organisationId)]),
      ],
      answer: (after): Organisation => after.organisations.get(organisationId)!,
    };
  },
});

/** A customer went to the payment page, or switched a live subscription. Stores the payment processor's customer id. */
export const startCheckout = commandKind({
  schema: z.strictObject({
    organisationId: z.string(),
    customerId: z.string(),
    ...chosen,
  }),
  decide(state, { organisationId, customerId, planId, interval, switched }) {
    const organisation = state.organisations.get(organisationId);
    if (organisation === undefined) return unknownOrganisation(organisationId);
    return {
      events: [
        ...(organisation.customerId === customerId
          ? []
          : [nextEvent(state, customerLinked, organisationId, { customerId })]),
        loneEvent(checkoutStarted, organisationId, { planId, interval, switched }),
      ],
      answer: (after): Organisation => after.organisations.get(organisationId)!,
    };
  },
});

/**
 * Adopts a subscription as the payment processor reports it. Ignores stale observations. Ignores a second subscription
 * unless it is live and the known one has ended.
 */
export const syncSubscription = commandKind({
  schema: z.strictObject({ organisationId: z.string(), subscription: subscriptionFields }),
  decide(state, { organisationId, subscription }) {
    const organisation = state.organisations.get(organisationId);
    if (organisation === undefined) return unknownOrganisation(organisationId);
    const known = organisation.subscription;
    return {
      events: isNews(known, subscription)
        ? [nextEvent(state, subscriptionChanged, organisationId, subscription)]
        : [],
      answer: (after): Organisation => after.organisations.get(organisationId)!,
    };
  },
});

function isNews(known: Subscription | null, observed: Subscription): boolean {
  if (known === null) return true;
  if (known.id !== observed.id) return isLive(observed) && !isLive(known);
  if (observed.observedAt < known.observedAt) return false;
  const { observedAt: _known, ...before } = known;
  const { observedAt: _at, ...now } = observed;
  return JSON.stringify(before) !== JSON.stringify(now);
}
