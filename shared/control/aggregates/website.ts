import { z } from 'zod';
import { normaliseDomain } from '../../urls/normalise-domain.js';
import { commandKind, type Refusal, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { newKey } from '../domain/keys.js';
import { platforms, type StoredIngestKey, type Website } from '../domain/model.js';
import { ingestKeyCreated } from './ingest-key.js';
import { displayName, unknownOrganisation } from './organisation.js';
import { refuseWebsite } from './organisation-room.js';
import { claim, domainName, isClaimed } from './unique-name.js';
import { defaultPrivacy } from './website-privacy.js';

export const websiteAdded = eventKind({
  aggregate: 'website',
  type: 'website.added',
  schema: z.object({
    organisationId: z.string(),
    domain: z.string(),
    name: z.string(),
    sourceType: z.enum(platforms).nullable(),
  }),
  evolve(state, id, data, at) {
    state.websites.put({ id, ...data, createdAt: at, privacy: defaultPrivacy });
  },
});

/** Registers a website with its first ingest key (spec §4.1). A domain is unique in an organisation. */
export const createWebsite = commandKind({
  schema: z.strictObject({
    organisationId: z.string(),
    domain: z.string(),
    name: displayName.optional(),
    sourceType: z.enum(platforms).nullable().default(null),
  }),
  decide(state, { organisationId, name, sourceType, ...input }, { generated }) {
    if (state.organisations.get(organisationId) === undefined) return unknownOrganisation(organisationId);
    const normalised = normaliseDomain(input.domain);
    if ('problem' in normalised) return refuse('invalid_request', `domain: ${normalised.problem}`);
    const { domain } = normalised;
    if (isClaimed(state, domainName(organisationId, domain)))
      return refuse('conflict', `domain: "${domain}" is already registered in this organisation`);

    const full = refuseWebsite(state, organisationId);
    if (full !== null) return full;
    const websiteId = `web_${generated.id}`;
    const ingestKeyId = `ink_${generated.keyId}`;
    const { clearText, digest, last4 } = newKey('ingest', generated.secret);
    const website = { organisationId, domain, name: name ?? domain, sourceType };
    return {
      events: [
        nextEvent(state, websiteAdded, websiteId, website),
        claim(state, domainName(organisationId, domain), websiteId),
        nextEvent(state, ingestKeyCreated, ingestKeyId, { organisationId, websiteId, digest, last4 }),
      ],
      answer: (after): { website: Website; ingestKey: StoredIngestKey; clearText: string } => ({
        website: after.websites.get(websiteId)!,
        ingestKey: after.ingestKeys.get(ingestKeyId)!,
        clearText,
      }),
    };
  },
});

export function unknownWebsite(id: string): { readonly refusal: Refusal } {
  return refuse('not_found', `website_id: there is no website "${id}"`);
}
