import { z } from 'zod';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import type { Website, WebsitePrivacy } from '../domain/model.js';

/** Defaults: addresses are kept as long as requests, and people are counted. */
export const defaultPrivacy: WebsitePrivacy = {
  addressDays: null,
  botsOnly: false,
  botsOnlyChangedAt: null,
};

/** No plan keeps requests longer. */
const MOST_DAYS = 3_650;

export const websitePrivacyChanged = eventKind({
  aggregate: 'website',
  type: 'website.privacy_changed',
  schema: z.object({ websiteId: z.string(), addressDays: z.int().nullable(), botsOnly: z.boolean() }),
  evolve(state, id, { addressDays, botsOnly }, at) {
    const website = state.websites.get(id);
    if (website === undefined) return;
    const before = website.privacy;
    const botsOnlyChangedAt = botsOnly === before.botsOnly ? before.botsOnlyChangedAt : at;
    state.websites.put({ ...website, privacy: { addressDays, botsOnly, botsOnlyChangedAt } });
  },
});

/** Changes only the given settings. The operator's command adapts stored rows (deploy/admin/server/set-privacy.ts). */
export const setWebsitePrivacy = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    addressDays: z.int().min(1).max(MOST_DAYS).nullable().optional(),
    botsOnly: z.boolean().optional(),
  }),
  decide(state, { websiteId, addressDays, botsOnly }) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return refuse('not_found', `website_id: there is no website "${websiteId}"`);
    const before = website.privacy;
    const privacy = {
      addressDays: addressDays === undefined ? before.addressDays : addressDays,
      botsOnly: botsOnly ?? before.botsOnly,
    };
    const isSame = privacy.addressDays === before.addressDays && privacy.botsOnly === before.botsOnly;
    return {
      events: isSame ? [] : [nextEvent(state, websitePrivacyChanged, websiteId, { websiteId, ...privacy })],
      answer: (after): Website => after.websites.get(websiteId)!,
    };
  },
});
