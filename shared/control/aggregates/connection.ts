import { z } from 'zod';
import { isUrl } from '../../urls/is-url.js';
import { isOwnHost } from '../../urls/path-of-address.js';
import { commandKind, refuse } from '../domain/command.js';
import { eventKind, nextEvent } from '../domain/event.js';
import { type Connection, type ConnectionKind, connectionKinds, type Website } from '../domain/model.js';
import type { ControlState } from '../domain/state.js';
import { isSealed } from '../sealing/sealed-text.js';
import { unknownWebsite } from './website.js';

/**
 * Connection of a website to an external service. The credential is sealed in the log and in the state; only the jobs
 * service opens it. The result of the last sync affects no decision, so it is in the table `source_syncs`.
 */

export const connectionMade = eventKind({
  aggregate: 'connection',
  type: 'connection.made',
  schema: z.object({
    websiteId: z.string(),
    kind: z.enum(connectionKinds),
    sourceId: z.string(),
    property: z.string(),
    propertyName: z.string().nullable(),
    credential: z.string(),
  }),
  evolve(state, id, data, at) {
    state.connections.put({ id, ...data, connectedAt: at });
  },
});

export const connectionRemoved = eventKind({
  aggregate: 'connection',
  type: 'connection.removed',
  schema: z.object({ websiteId: z.string(), kind: z.enum(connectionKinds) }),
  evolve(state, id) {
    state.connections.remove(id);
  },
});

/** The public part of a connection, without the credential. */
export type ShownConnection = Omit<Connection, 'credential' | 'id'>;

export function shownConnection({ credential: _credential, id: _id, ...shown }: Connection): ShownConnection {
  return shown;
}

const MOST_CHARACTERS = 300;
const DOMAIN_PROPERTY = 'sc-domain:';

/**
 * Connects the website with a property of a service, and replaces a connection of the same kind. Rows stay if the
 * property is the same: a new credential does not change counted data.
 */
export const connectSource = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    kind: z.enum(connectionKinds),
    property: z.string().min(1).max(MOST_CHARACTERS),
    propertyName: z.string().min(1).max(MOST_CHARACTERS).nullable().default(null),
    /** Must be sealed already. */
    credential: z.string().refine(isSealed, 'expected a sealed credential'),
  }),
  decide(state, { websiteId, kind, property, propertyName, credential }, { generated }) {
    const website = state.websites.get(websiteId);
    if (website === undefined) return unknownWebsite(websiteId);
    const problem = problemOf(kind, property, website);
    if (problem !== null) return refuse('invalid_request', `property: ${problem}`);
    const id = connectionId(websiteId, kind);
    const held = state.connections.get(id);
    const sourceId = held?.property === property ? held.sourceId : generated.id;
    const made = { websiteId, kind, sourceId, property, propertyName, credential };
    return {
      events: [nextEvent(state, connectionMade, id, made)],
      answer: (after): ShownConnection => shownConnection(after.connections.get(id)!),
    };
  },
});

/** Stops reading the source. Its rows are no longer used, and expire. */
export const disconnectSource = commandKind({
  schema: z.strictObject({ websiteId: z.string(), kind: z.enum(connectionKinds) }),
  decide(state, { websiteId, kind }) {
    const id = connectionId(websiteId, kind);
    const held = state.connections.get(id);
    if (held === undefined)
      return refuse('not_found', `website_id: no ${kind} is connected to "${websiteId}"`);
    return {
      events: [nextEvent(state, connectionRemoved, id, { websiteId, kind })],
      answer: (): ShownConnection => shownConnection(held),
    };
  },
});

/** The website's connection of this kind; null: none. */
export function connectionOf(
  state: ControlState,
  websiteId: string,
  kind: ConnectionKind,
): Connection | null {
  return state.connections.get(connectionId(websiteId, kind)) ?? null;
}

function connectionId(websiteId: string, kind: ConnectionKind): string {
  return `${websiteId}/${kind}`;
}

/** Why the property cannot belong to the website; null: it can. */
function problemOf(kind: ConnectionKind, property: string, { domain }: Website): string | null {
  if (kind === 'google-analytics') return /^\d{1,20}$/.test(property) ? null : 'expected its number';
  const host = hostOf(kind, property);
  if (host === null)
    return kind === 'bing-webmaster'
      ? 'expected a URL such as https://www.example.com/'
      : 'expected sc-domain:example.com or a URL such as https://www.example.com/';
  // The property's host may be above or below the website's domain.
  return isOwnHost(host, domain) || isOwnHost(domain, host)
    ? null
    : `it belongs to ${host}, but the website is ${domain}`;
}

function hostOf(kind: ConnectionKind, property: string): string | null {
  if (kind === 'google-search-console' && property.startsWith(DOMAIN_PROPERTY))
    return property.slice(DOMAIN_PROPERTY.length).toLowerCase() || null;
  if (!/^https?:\/\//.test(property) || !isUrl(property)) return null;
  return new URL(property).hostname;
}
