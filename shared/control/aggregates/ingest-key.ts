import { z } from 'zod';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { newKey } from '../domain/keys.js';
import type { StoredIngestKey } from '../domain/model.js';

export const ingestKeyCreated = eventKind({
  aggregate: 'ingest_key',
  type: 'ingest_key.created',
  schema: z.object({
    organisationId: z.string(),
    websiteId: z.string(),
    digest: z.string(),
    last4: z.string(),
  }),
  evolve(state, id, data, at) {
    state.ingestKeys.put({ id, ...data, createdAt: at, revokedAt: null });
  },
});

export const ingestKeyRevoked = eventKind({
  aggregate: 'ingest_key',
  type: 'ingest_key.revoked',
  schema: z.object({}),
  evolve(state, id, _data, at) {
    const key = state.ingestKeys.get(id);
    if (key !== undefined) state.ingestKeys.put({ ...key, revokedAt: at });
  },
});

/** An additional key of a website. The others stay valid, so that senders can switch one by one. */
export const createIngestKey = commandKind({
  schema: z.strictObject({ websiteId: z.string() }),
  decide(state, { websiteId }, { generated }) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return refuse('not_found', `website_id: there is no website "${websiteId}"`);
    const id = `ink_${generated.keyId}`;
    const { clearText, digest, last4 } = newKey('ingest', generated.secret);
    const { organisationId } = website;
    return {
      events: [nextEvent(state, ingestKeyCreated, id, { organisationId, websiteId, digest, last4 })],
      answer: (after): { ingestKey: StoredIngestKey; clearText: string } => ({
        ingestKey: after.ingestKeys.get(id)!,
        clearText,
      }),
    };
  },
});

/** Idempotent. */
export const revokeIngestKey = commandKind({
  schema: z.strictObject({ ingestKeyId: z.string() }),
  decide(state, { ingestKeyId }) {
    const key = state.ingestKeys.get(ingestKeyId);
    if (key === undefined) return unknownIngestKey(ingestKeyId);
    return {
      events: key.revokedAt === null ? [nextEvent(state, ingestKeyRevoked, ingestKeyId, {})] : [],
      answer: (after): { ingestKey: StoredIngestKey } => ({ ingestKey: after.ingestKeys.get(ingestKeyId)! }),
    };
  },
});

/** Replaces a key; the old one stops working immediately. */
export const rotateIngestKey = commandKind({
  schema: z.strictObject({ ingestKeyId: z.string() }),
  decide(state, { ingestKeyId }, context) {
    const key = state.ingestKeys.get(ingestKeyId);
    if (key === undefined) return unknownIngestKey(ingestKeyId);
    if (key.revokedAt !== null)
      return refuse('conflict', `ingest_key_id: "${ingestKeyId}" was revoked on ${key.revokedAt}`);
    const created = createIngestKey.decide(state, { websiteId: key.websiteId }, context);
    if ('refusal' in created) return created;
    return {
      events: [...created.events, nextEvent(state, ingestKeyRevoked, ingestKeyId, {})],
      answer: (after): { ingestKey: StoredIngestKey; clearText: string; revoked: StoredIngestKey } => ({
        ...created.answer(after),
        revoked: after.ingestKeys.get(ingestKeyId)!,
      }),
    };
  },
});

function unknownIngestKey(id: string): { readonly refusal: Refusal } {
  return refuse('not_found', `ingest_key_id: there is no ingest key "${id}"`);
}
