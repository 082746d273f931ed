import { z } from 'zod';
import { commandKind } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { WebhookSecret } from '../domain/model.js';
import { unknownWebsite } from './website.js';

/** What a website's webhooks are signed with. The log and the state hold no secret, only what makes one of the organisation's key (shared/control/sealing/webhook-secret.ts). */

export const webhookSecretMade = eventKind({
  aggregate: 'webhook_secret',
  type: 'webhook_secret.made',
  schema: z.object({ websiteId: z.string(), keyName: z.string(), salt: z.string() }),
  evolve(state, id, { keyName, salt }, at) {
    state.webhookSecrets.put({ id, keyName, salt, createdAt: at });
  },
});

/** Made where there is none. @param isNew in place of the one that there is, which counts no more. */
export const makeWebhookSecret = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    /** Of a key of the website's organisation (sealing/key-ring.ts). */
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
