import { z } from 'zod';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { newKey } from '../domain/keys.js';
import { apiKeyScopes, type Organisation, type StoredApiKey, type User } from '../domain/model.js';
import { findSignInLink, isIdle, isUseDue, SESSION_MS, SIGN_IN_LINK_MS } from '../domain/sessions.js';
import type { ControlState } from '../domain/state.js';
import { apiKeyCreated, apiKeyRevoked } from './api-key.js';
import { unknownOrganisation } from './organisation.js';

/** A one-time link becomes a session of the console. Links and sessions are API keys of their own kinds: listed and revoked as those. */

export const sessionSeen = eventKind({
  aggregate: 'api_key',
  type: 'api_key.seen',
  schema: z.object({}),
  evolve(state, id, _data, at) {
    const session = state.apiKeys.get(id);
    if (session !== undefined) state.apiKeys.put({ ...session, seenAt: at });
  },
});

/** Without an organisation: that of the user, or the only one there is. A session of scope `read` is a viewer's, `read_write` an owner's. */
export const createSignInLink = commandKind({
  schema: z.strictObject({
    organisationId: z.string().nullable().default(null),
    /** Id or e-mail address. */
    user: z.string().nullable().default(null),
    scope: z.enum(apiKeyScopes).default('read'),
  }),
  decide(state, { organisationId, user: named, scope }, { now, generated }) {
    const user = named === null ? null : findUser(state, named);
    if (user === undefined) return refuse('not_found', `user: there is no user "${named}"`);
    const found = findOrganisation(state, organisationId ?? user?.organisationId ?? null);
    if ('refusal' in found) return found;
    if (user !== null && user.organisationId !== found.id)
      return refuse('not_found', `user: there is no user "${named}" in this organisation`);

    const id = `key_${generated.keyId}`;
    const { clearText, digest, last4 } = newKey('signInLink', generated.secret);
    const event = nextEvent(state, apiKeyCreated, id, {
      kind: 'sign_in_link',
      organisationId: found.id,
      userId: user?.id ?? null,
      name: nameFor(user),
      scope,
      expiresAt: new Date(now + SIGN_IN_LINK_MS).toISOString(),
      digest,
      last4,
    });
    return {
      events: [event],
      answer: (after): { apiKey: StoredApiKey; clearText: string } => ({
        apiKey: after.apiKeys.get(id)!,
        clearText,
      }),
    };
  },
});

/** A session in place of the link, which ends in the same decision: only one of several calls gets a session. */
export const signIn = commandKind({
  schema: z.strictObject({ token: z.string() }),
  decide(state, { token }, { now, generated }) {
    const link = findSignInLink(state, token, now);
    if (link === null)
      return refuse(
        'not_found',
        'This sign-in link was used already, or is older than 15 minutes. Make a new one.',
        'sign_in_link_ended',
      );
    const { organisationId, userId, name, scope } = link;
    const id = `key_${generated.keyId}`;
    const { clearText, digest, last4 } = newKey('session', generated.secret);
    const created = nextEvent(state, apiKeyCreated, id, {
      kind: 'session',
      ...{ organisationId, userId, name, scope, digest, last4 },
      expiresAt: new Date(now + SESSION_MS).toISOString(),
    });
    return {
      events: [created, nextEvent(state, apiKeyRevoked, link.id, {})],
      answer: (after): { apiKey: StoredApiKey; clearText: string } => ({
        apiKey: after.apiKeys.get(id)!,
        clearText,
      }),
    };
  },
});

/** Records that a session is in use, so that it does not count as idle in any replica. A session that has ended stays ended. */
export const noteSessionUse = commandKind({
  schema: z.strictObject({ apiKeyId: z.string() }),
  decide(state, { apiKeyId }, { now }) {
    const key = state.apiKeys.get(apiKeyId);
    const isDue =
      key?.kind === 'session' && key.revokedAt === null && isUseDue(key, now) && !isIdle(key, now);
    return {
      events: isDue ? [nextEvent(state, sessionSeen, apiKeyId, {})] : [],
      answer: (): { apiKeyId: string } => ({ apiKeyId }),
    };
  },
});

function findUser(state: ControlState, named: string): User | undefined {
  const email = named.trim().toLowerCase();
  return state.users.get(named) ?? [...state.users.values()].find((user) => user.email === email);
}

function findOrganisation(
  state: ControlState,
  id: string | null,
): Organisation | { readonly refusal: Refusal } {
  if (id !== null) return state.organisations.get(id) ?? unknownOrganisation(id);
  const [only, another] = state.organisations.values();
  if (only === undefined) return refuse('not_found', 'there is no organisation yet');
  return another === undefined
    ? only
    : refuse('invalid_request', 'there are several organisations: name one, or a user');
}

const LONGEST_NAME = 200;

/** As timelines show who did something. */
function nameFor(user: User | null): string {
  return (user === null ? 'console' : `console, ${user.email}`).slice(0, LONGEST_NAME);
}
