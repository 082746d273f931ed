import { z } from 'zod';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { aggregateKey, type WritableState } from '../domain/state.js';
import { isLive } from './billing.js';
import { unknownOrganisation } from './organisation.js';
import { claimId, domainName, emailName, forgetClaim } from './unique-name.js';
import { unknownWebsite } from './website.js';

/**
 * Erased data is removed from the state with everything that depends on it. Its id and its version stay, so that
 * concurrent decisions of another replica on the older state are recognised (state.ts `wasErased`). Names become free
 * again. Erasing other stores and logs is the task of the operator's command (deploy/admin/erasure/).
 */

/** Ids of the freed claims, stored in the event: later folds of the log cannot read the names any more. */
const claims = z.array(z.string());

export const websiteErased = eventKind({
  aggregate: 'website',
  type: 'website.erased',
  schema: z.object({ organisationId: z.string(), claims }),
  evolve(state, id, { claims }) {
    forgetWebsite(state, id);
    for (const claim of claims) forgetClaim(state, claim);
  },
});

export const userErased = eventKind({
  aggregate: 'user',
  type: 'user.erased',
  schema: z.object({ organisationId: z.string(), claims }),
  evolve(state, id, { claims }) {
    forgetUser(state, id);
    for (const claim of claims) forgetClaim(state, claim);
  },
});

export const organisationErased = eventKind({
  aggregate: 'organisation',
  type: 'organisation.erased',
  schema: z.object({ claims }),
  evolve(state, id, { claims }) {
    for (const website of state.websites.by('organisationId', id)) forgetWebsite(state, website.id);
    for (const user of state.users.by('organisationId', id)) forgetUser(state, user.id);
    for (const key of state.apiKeys.by('organisationId', id)) state.apiKeys.remove(key.id);
    forgetVersions(state, aggregateKey('report_quota', `${id}/`));
    for (const claim of claims) forgetClaim(state, claim);
    state.organisations.remove(id);
  },
});

function forgetWebsite(state: WritableState, id: string): void {
  const website = state.websites.get(id);
  if (website === undefined) return;
  for (const key of state.ingestKeys.by('websiteId', id)) state.ingestKeys.remove(key.id);
  for (const segment of state.segments.by('websiteId', id)) state.segments.remove(segment.id);
  for (const held of state.suppressions.by('websiteId', id)) state.suppressions.remove(held.id);
  for (const done of state.resolutions.by('websiteId', id)) state.resolutions.remove(done.id);
  for (const each of state.exports.by('websiteId', id)) state.exports.remove(each.id);
  state.exportSchedules.remove(id);
  for (const each of state.crawls.by('websiteId', id)) state.crawls.remove(each.id);
  state.crawlSettings.remove(id);
  for (const each of state.connections.by('websiteId', id)) state.connections.remove(each.id);
  state.webhookSecrets.remove(id);
  state.alertSettings.remove(id);
  state.websites.remove(id);
}

function forgetUser(state: WritableState, id: string): void {
  const user = state.users.get(id);
  if (user === undefined) return;
  for (const key of state.apiKeys.by('organisationId', user.organisationId))
    if (key.userId === id) state.apiKeys.remove(key.id);
  // The worker's next run deletes their files, since no record refers to them.
  for (const website of state.websites.by('organisationId', user.organisationId))
    for (const each of state.exports.by('websiteId', website.id))
      if (each.userId === id) state.exports.remove(each.id);
  state.users.remove(id);
}

/** Scans all versions, which is acceptable a few times a year. */
function forgetVersions(state: WritableState, prefix: string): void {
  for (const key of state.versions.keys()) if (key.startsWith(prefix)) state.versions.delete(key);
}

export const eraseWebsite = commandKind({
  schema: z.strictObject({ websiteId: z.string() }),
  decide(state, { websiteId }) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return unknownWebsite(websiteId);
    const { organisationId } = website;
    return {
      events: [
        nextEvent(state, websiteErased, websiteId, {
          organisationId,
          claims: [claimId(domainName(organisationId, website.domain))],
        }),
      ],
      answer: (): { websiteId: string } => ({ websiteId }),
    };
  },
});

/** Removes the user's API keys too. */
export const eraseUser = commandKind({
  schema: z.strictObject({ userId: z.string() }),
  decide(state, { userId }) {
    const user = state.users.get(userId);
    if (user === undefined) return refuse('not_found', `user_id: there is no user "${userId}"`);
    const { organisationId } = user;
    return {
      events: [
        nextEvent(state, userErased, userId, {
          organisationId,
          claims: [claimId(emailName(user.email))],
        }),
      ],
      answer: (): { userId: string } => ({ userId }),
    };
  },
});

/** Refused while a subscription is live: the payment processor would continue to charge for it. */
export const eraseOrganisation = commandKind({
  schema: z.strictObject({ organisationId: z.string() }),
  decide(state, { organisationId }) {
    const organisation = state.organisations.get(organisationId);
    if (organisation === undefined) return unknownOrganisation(organisationId);
    if (organisation.subscription !== null && isLive(organisation.subscription))
      return refuse('conflict', 'its subscription is live: cancel it at the payment processor first');
    const names = [
      ...state.websites
        .by('organisationId', organisationId)
        .map(({ domain }) => domainName(organisationId, domain)),
      ...state.users.by('organisationId', organisationId).map(({ email }) => emailName(email)),
    ];
    const claims = names.map(claimId);
    return {
      events: [nextEvent(state, organisationErased, organisationId, { claims })],
      answer: (): { organisationId: string } => ({ organisationId }),
    };
  },
});
