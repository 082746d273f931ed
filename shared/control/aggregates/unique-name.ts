import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ControlEvent, eventKind, nextEvent } from '../domain/event.js';
import { aggregateKey, type ControlState, versionOf, type WritableState } from '../domain/state.js';

/**
 * A unique name is its own aggregate. A claim is decided on version 0, so if two callers race for a name, the fold
 * accepts one. A claim is valid until its owner is erased.
 */

const NAME = 'unique_name';

/** The version alone marks the name as taken; `owner` is for people who read the log. */
export const nameClaimed = eventKind({
  aggregate: NAME,
  type: 'unique_name.claimed',
  schema: z.object({ owner: z.string() }),
  evolve() {},
});

/** One website per domain of an organisation. */
export function domainName(organisationId: string, domain: string): string {
  return `website_domain/${organisationId}/${domain}`;
}

/** A person has one account. */
export function emailName(email: string): string {
  return `user_email/${email}`;
}

/** A user account has one trial. */
export function trialName(userId: string): string {
  return `trial_user/${userId}`;
}

/** The claim's id in the log has a digest of the name, since ids are never sealed. */
export function claimId(name: string): string {
  const [kind = ''] = name.split('/', 1);
  return `${kind}/sha256:${createHash('sha256').update(name).digest('hex')}`;
}

export function isClaimed(state: ControlState, name: string): boolean {
  return versionOf(state, NAME, claimId(name)) > 0;
}

export function claim(state: ControlState, name: string, owner: string): ControlEvent {
  return nextEvent(state, nameClaimed, claimId(name), { owner });
}

/** Frees a name by the id of its claim: the next claim is decided on version 0 again. */
export function forgetClaim(state: WritableState, id: string): void {
  state.versions.delete(aggregateKey(NAME, id));
}
