import { z } from 'zod';
import { LAST_INSTANT } from '../../store/column-bounds.js';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { newKey } from '../domain/keys.js';
import { apiKeyKinds, apiKeyScopes, type StoredApiKey } from '../domain/model.js';
import { SHOWN_AFTER_END_MS } from '../domain/sessions.js';
import { aggregateKey, type WritableState } from '../domain/state.js';
import { displayName, unknownOrganisation } from './organisation.js';

export const apiKeyCreated = eventKind({
  aggregate: 'api_key',
  type: 'api_key.created',
  schema: z.object({
    kind: z.enum(apiKeyKinds).default('key'),
    organisationId: z.string(),
    userId: z.string().nullable(),
    name: z.string(),
    scope: z.enum(apiKeyScopes),
    expiresAt: z.string().nullable(),
    digest: z.string(),
    last4: z.string(),
  }),
  evolve(state, id, data, at) {
    if (data.kind !== 'key') forgetEnded(state, data.organisationId, Date.parse(at) - SHOWN_AFTER_END_MS);
    state.apiKeys.put({ id, ...data, createdAt: at, revokedAt: null, seenAt: null, tokens: null });
  },
});

/** Links, sessions and connections come and go for years. By the log's own times, so that every replica forgets the same. */
export function forgetEnded(state: WritableState, organisationId: string, before: number): void {
  for (const { id, kind, expiresAt, revokedAt } of state.apiKeys.by('organisationId', organisationId)) {
    if (kind === 'key' || expiresAt === null) continue;
    const end = kind === 'connection' ? (revokedAt ?? expiresAt) : expiresAt;
    if (Date.parse(end) >= before) continue;
    state.apiKeys.remove(id);
    state.versions.delete(aggregateKey('api_key', id));
  }
}

export const apiKeyRevoked = eventKind({
  aggregate: 'api_key',
  type: 'api_key.revoked',
  schema: z.object({}),
  evolve(state, id, _data, at) {
    const key = state.apiKeys.get(id);
    if (key !== undefined) state.apiKeys.put({ ...key, revokedAt: at });
  },
});

/** Default scope: `read` (spec §5 rule 3). E-mail about a key's exports is sent to the key's owner, if it has one. */
export const createApiKey = commandKind({
  schema: z.strictObject({
    organisationId: z.string(),
    name: displayName.default('API key'),
    scope: z.enum(apiKeyScopes).default('read'),
    userId: z.string().nullable().default(null),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine((text) => Date.parse(text) <= Date.parse(LAST_INSTANT), `a moment up to ${LAST_INSTANT}`)
      .transform((text) => new Date(text).toISOString())
      .nullable()
      .default(null),
  }),
  decide(state, input, { now, generated }) {
    const { organisationId, userId, expiresAt } = input;
    if (state.organisations.get(organisationId) === undefined) return unknownOrganisation(organisationId);
    if (userId !== null && state.users.get(userId)?.organisationId !== organisationId)
      return refuse('not_found', `user_id: there is no user "${userId}" in this organisation`);
    if (expiresAt !== null && Date.parse(expiresAt) <= now)
      return refuse('invalid_request', `expires_at: must lie in the future, got ${expiresAt}`);

    const id = `key_${generated.keyId}`;
    const { clearText, digest, last4 } = newKey('api', generated.secret);
    return {
      events: [nextEvent(state, apiKeyCreated, id, { ...input, digest, last4 })],
      answer: (after): { apiKey: StoredApiKey; clearText: string } => ({
        apiKey: after.apiKeys.get(id)!,
        clearText,
      }),
    };
  },
});

/** Idempotent. */
export const revokeApiKey = commandKind({
  schema: z.strictObject({ apiKeyId: z.string() }),
  decide(state, { apiKeyId }) {
    const key = state.apiKeys.get(apiKeyId);
    if (key === undefined) return unknownApiKey(apiKeyId);
    return {
      events: key.revokedAt === null ? [nextEvent(state, apiKeyRevoked, apiKeyId, {})] : [],
      answer: (after): { apiKey: StoredApiKey } => ({ apiKey: after.apiKeys.get(apiKeyId)! }),
    };
  },
});

/**
 * Replaces a key: the new one has the same name, scope, owner and expiry, and the old one stops working immediately.
 */
export const rotateApiKey = commandKind({
  schema: z.strictObject({ apiKeyId: z.string() }),
  decide(state, { apiKeyId }, context) {
    const key = state.apiKeys.get(apiKeyId);
    if (key === undefined) return unknownApiKey(apiKeyId);
    if (key.kind !== 'key')
      return refuse('conflict', `api_key_id: "${apiKeyId}" is a ${key.kind}, which can only be revoked`);
    if (key.revokedAt !== null)
      return refuse('conflict', `api_key_id: "${apiKeyId}" was revoked on ${key.revokedAt}`);
    const { organisationId, name, scope, userId, expiresAt } = key;
    const created = createApiKey.decide(state, { organisationId, name, scope, userId, expiresAt }, context);
    if ('refusal' in created) return created;
    return {
      events: [...created.events, nextEvent(state, apiKeyRevoked, apiKeyId, {})],
      answer: (after): { apiKey: StoredApiKey; clearText: string; revoked: StoredApiKey } => ({
        ...created.answer(after),
        revoked: after.apiKeys.get(apiKeyId)!,
      }),
    };
  },
});

function unknownApiKey(id: string): { readonly refusal: Refusal } {
  return refuse('not_found', `api_key_id: there is no API key "${id}"`);
}
