import { z } from 'zod';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { Organisation } from '../domain/model.js';
import { planIds } from '../domain/plans.js';
import { supersede } from '../domain/trial.js';

/** Names of organisations, websites and keys: readable on one line. */
export const displayName = z.string().trim().min(1).max(200);

const planId = z.enum(planIds);

export const organisationCreated = eventKind({
  aggregate: 'organisation',
  type: 'organisation.created',
  // `planId` is any text here, since an unknown plan must not prevent the start of this release.
  schema: z.object({ name: z.string(), planId: z.string() }),
  evolve(state, id, { name, planId }, at) {
    state.organisations.put({
      id,
      name,
      planId,
      trial: null,
      customerId: null,
      subscription: null,
      createdAt: at,
    });
  },
});

export const planChanged = eventKind({
  aggregate: 'organisation',
  type: 'organisation.plan_changed',
  schema: z.object({ planId: z.string() }),
  evolve(state, id, { planId }, at) {
    const { trial, ...organisation } = state.organisations.get(id)!;
    state.organisations.put({ ...organisation, planId, trial: supersede(trial, at) });
  },
});

export const createOrganisation = commandKind({
  schema: z.strictObject({ name: displayName, planId: planId.default('free') }),
  decide(state, input, { generated }) {
    const id = `org_${generated.id}`;
    return {
      events: [nextEvent(state, organisationCreated, id, input)],
      answer: (after): Organisation => after.organisations.get(id)!,
    };
  },
});

/** Sets any plan, including legacy ones. Billing restricts the choice of customers. */
export const setPlan = commandKind({
  schema: z.strictObject({ organisationId: z.string(), planId }),
  decide(state, { organisationId, planId }) {
    const organisation = state.organisations.get(organisationId);
    if (organisation === undefined) return unknownOrganisation(organisationId);
    return {
      events:
        organisation.planId === planId ? [] : [nextEvent(state, planChanged, organisationId, { planId })],
      answer: (after): Organisation => after.organisations.get(organisationId)!,
    };
  },
});

export function unknownOrganisation(id: string): { readonly refusal: Refusal } {
  return refuse('not_found', `organisation_id: there is no organisation "${id}"`);
}
