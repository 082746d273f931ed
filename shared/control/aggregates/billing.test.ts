import { beforeEach, describe, expect, test } from 'vitest';
import { createDecider, type Decider } from '../../../test/harness/decider.js';
import { DAY_MS } from '../../durations.js';
import type { Organisation, Subscription } from '../domain/model.js';
import { planOf } from '../domain/plans.js';
import { billingStatus } from './billing.js';

let decider: Decider;
let organisationId: string;
let userId: string;
beforeEach(() => {
  decider = createDecider();
  organisationId = decider.do({ type: 'createOrganisation', name: 'Shop' }).id;
  userId = decider.do({ type: 'addUser', organisationId, email: 'a@shop.example' }).id;
});

const organisation = (): Organisation => decider.state.organisations.get(organisationId)!;
/** The current plan, and the billing status. */
const standing = () => [planOf(organisation(), decider.now).id, billingStatus(organisation(), decider.now)];
const trialOf = (planId: string) => ({ type: 'startTrial', organisationId, userId, planId }) as const;

function say(fields: Partial<Subscription>): void {
  decider.do({
    type: 'syncSubscription',
    organisationId,
    subscription: {
      id: 'sub_1',
      planId: 'growth',
      interval: 'monthly',
      status: 'active',
      trialEndsAt: null,
      currentPeriodEndsAt: null,
      cancelAtPeriodEnd: false,
      cardOnFile: true,
      observedAt: new Date(decider.now).toISOString(),
      ...fields,
    },
  });
}

describe('trial and subscription (spec §3.7)', () => {
  test('the whole sequence: Free → trial_nocard → expired → bought → switched → cancelled', () => {
    expect(standing()).toEqual(['free', null]);
    decider.do(trialOf('growth'));
    expect(standing()).toEqual(['growth', 'trial_nocard']);
    expect(organisation().trial!.endsAt).toBe('2026-12-05T12:00:00.000Z');
    decider.now += 14 * DAY_MS - 1;
    expect(standing()).toEqual(['growth', 'trial_nocard']);
    decider.now += 1;
    expect(standing()).toEqual(['free', 'trial_expired']);
    say({ planId: 'starter' });
    expect(standing()).toEqual(['starter', 'active']);
    say({ planId: 'scale', observedAt: new Date(decider.now + 1).toISOString() });
    expect(standing()).toEqual(['scale', 'active']);
    say({ planId: 'scale', status: 'canceled', observedAt: new Date(decider.now + 2).toISOString() });
    expect(standing()).toEqual(['free', 'canceled']);
  });

  test.each([
    ['trialing', 'growth'],
    ['active', 'growth'],
    ['past_due', 'growth'],
    ['unpaid', 'free'],
    ['canceled', 'free'],
    ['paused', 'free'],
    ['incomplete_expired', 'free'],
  ] as const)('an active subscription that becomes %s results in the plan %s', (status, plan) => {
    say({});
    say({ status });
    expect(standing()).toEqual([plan, status]);
  });

  test('a first payment that is pending changes no plan', () => {
    decider.do(trialOf('starter'));
    say({ status: 'incomplete' });
    expect(standing()).toEqual(['starter', 'incomplete']);
  });

  test('a subscription replaces a running trial', () => {
    decider.do(trialOf('scale'));
    say({ planId: 'starter', status: 'trialing' });
    expect(standing()).toEqual(['starter', 'trialing']);
  });

  test('so does a plan set by the operator, which outlives a subscription that ends', () => {
    decider.do(trialOf('starter'));
    decider.do({ type: 'setPlan', organisationId, planId: 'enterprise' });
    expect(standing()).toEqual(['enterprise', null]);
    say({ planId: 'starter' });
    decider.do({ type: 'setPlan', organisationId, planId: 'unlimited' });
    say({ planId: 'starter', status: 'canceled' });
    expect(standing()[0]).toBe('unlimited');
  });
});

describe('a trial is refused', () => {
  test('a second time, running or over', () => {
    decider.do(trialOf('starter'));
    expect(decider.refusal(trialOf('scale'))).toMatchObject({
      code: 'conflict',
      reason: 'trial_used_by_organisation',
    });
    decider.now += 15 * DAY_MS;
    expect(decider.refusal(trialOf('starter')).reason).toBe('trial_used_by_organisation');
  });

  test('to a user who had one elsewhere; a key without a user is only checked against its organisation', () => {
    decider.do(trialOf('starter'));
    const other = decider.do({ type: 'createOrganisation', name: 'Second' }).id;
    expect(decider.refusal({ ...trialOf('starter'), organisationId: other }).reason).toBe(
      'trial_used_by_user',
    );
    decider.do({ ...trialOf('starter'), organisationId: other, userId: null });
  });

  test.each([['scale'], ['professional']] as const)('on the plan %s, and after a subscription', (planId) => {
    decider.do({ type: 'setPlan', organisationId, planId });
    expect(decider.refusal(trialOf('starter')).reason).toBe('already_subscribed');
  });

  test('after a subscription that has ended', () => {
    say({});
    say({ status: 'canceled' });
    expect(decider.refusal(trialOf('starter')).reason).toBe('already_subscribed');
  });

  test.each(['free', 'professional', 'gold'])('for the plan %s, which has none', (planId) => {
    expect(decider.refusal(trialOf(planId))).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringMatching(/^plan_id/),
    });
  });
});

describe('the payment processor’s state', () => {
  test('is applied in the order of the queries, not of the responses', () => {
    say({ status: 'active', observedAt: '2026-11-21T12:00:05.000Z' });
    say({ status: 'past_due', observedAt: '2026-11-21T12:00:04.000Z' });
    expect(standing()).toEqual(['growth', 'active']);
  });

  test('twice changes nothing the second time', () => {
    say({});
    const before = decider.state.versions.get(`organisation/${organisationId}`);
    say({ observedAt: '2026-11-21T13:00:00.000Z' });
    expect(decider.state.versions.get(`organisation/${organisationId}`)).toBe(before);
  });

  test('for an older subscription never ends a live one, and a new one follows an ended one', () => {
    say({ id: 'sub_1' });
    say({ id: 'sub_0', status: 'canceled' });
    expect(standing()).toEqual(['growth', 'active']);
    say({ id: 'sub_1', status: 'canceled' });
    say({ id: 'sub_2', planId: 'starter' });
    expect(standing()).toEqual(['starter', 'active']);
  });
});
