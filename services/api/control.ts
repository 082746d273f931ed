import type { ControlPlane } from '../../shared/control/control-plane.js';
import { findApiKey } from '../../shared/control/keys.js';
import { planOf } from '../../shared/control/plans.js';
import type { ApiControl } from './api-control.js';

/** The API's view of the control plane. The state is asked for anew in every call: it goes on changing. */
export function apiControl(controlPlane: ControlPlane): ApiControl {
  return {
    authenticate(clearKey, now) {
      const state = controlPlane.state();
      const apiKey = findApiKey(state, clearKey, now);
      if (apiKey === null) return null;
      const organisation = state.organisations.get(apiKey.organisationId);
      return organisation === undefined ? null : { organisation, apiKey };
    },

    website(organisationId, websiteId) {
      const website = controlPlane.state().websites.get(websiteId);
      return website?.organisationId === organisationId ? website : null;
    },

    websites: (organisationId) => controlPlane.state().websites.by('organisationId', organisationId),

    plan(organisation) {
      const { name, hourlyApiLimit } = planOf(organisation);
      return { name, apiAccess: hourlyApiLimit !== null };
    },

    async createWebsite(organisationId, { domain, name, sourceType }, actor) {
      const outcome = await controlPlane.execute(
        {
          type: 'createWebsite',
          organisationId,
          domain,
          sourceType,
          ...(name === undefined ? {} : { name }),
        },
        `api_key:${actor.id}`,
      );
      if ('refusal' in outcome) return outcome;
      return { website: outcome.answer.website, ingestKey: outcome.answer.clearText };
    },
  };
}
