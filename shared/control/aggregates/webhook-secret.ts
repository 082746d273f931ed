import { z } from 'zod';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { WebhookSecret } from '../domain/model.js';
import { unknownWebsite } from './website.js';

/**
 * Secret that signs a website's webhooks. Log and state never contain the secret, only the inputs from which it is
 * derived with the organisation's key (shared/control/sealing/webhook-secret.ts).
 */

export const webhookSecretMade = eventKind({
  aggregate: 'webhook_secret',
  type: 'webhook_secret.made',
  schema: z.object({ websiteId: z.string(), keyName: z.string(), salt: z.string() }),
  evolve(state, id, { keyName, salt }, at) {
    state.webhookSecrets.put({ id, keyName, salt, createdAt: at });
  },
});

/** Creates a secret if there is none. @param isNew true: replaces an existing one, which becomes invalid. */
export const makeWebhookSecret = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    /** Name of a key of the website's organisation (sealing/key-ring.ts). */
    keyName: z.string(),
    isNew: z.boolean().default(false),
  }),
  decide(state, { websiteId, keyName, isNew }, { generated }) {
    if (state.websites.get(websiteId) === undefined) return unknownWebsite(websiteId);
    const stands = state.webhookSecrets.get(websiteId) !== undefined && !isNew;
    const made = { websiteId, keyName, salt: generated.secret };
    return {
      events: stands ? [] : [nextEvent(state, webhookSecretMade, websiteId, made)],
      answer: (after): WebhookSecret => after.webhookSecrets.get(websiteId)!,
    };
  },
});
