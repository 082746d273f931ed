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
 * That a website's figures are read from an outside service. The credential stands sealed in the log and in the state; only the jobs
 * service opens it. How the last reading went is not decided on, and so stands in the table `source_syncs`.
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

/** Of a connection what anybody may see: not the credential, sealed or not. */
export type ShownConnection = Omit<Connection, 'credential' | 'id'>;

export function shownConnection({ credential: _credential, id: _id, ...shown }: Connection): ShownConnection {
  return shown;
}

const MOST_CHARACTERS = 300;
const DOMAIN_PROPERTY = 'sc-domain:';

/**
 * Connects the website with a property of a service; one of the same kind is replaced. The rows that were read stay where the property
 * is the same: a new credential changes nothing of what was counted.
 */
export const connectSource = commandKind({
  schema: z.strictObject({
    websiteId: z.string(),
    kind: z.enum(connectionKinds),
    property: z.string().min(1).max(MOST_CHARACTERS),
    propertyName: z.string().min(1).max(MOST_CHARACTERS).nullable().default(null),
    /** Sealed already: the log takes no other. */
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

/** Nothing more is read, and no answer tells what was: its rows go with time. */
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

/** The website's connection of this kind; null: there is none. */
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

/** Why the property can't be the website's; null: it can. */
function problemOf(kind: ConnectionKind, property: string, { domain }: Website): string | null {
  if (kind === 'google-analytics') return /^\d{1,20}$/.test(property) ? null : 'expected its number';
  const host = hostOf(kind, property);
  if (host === null)
    return kind === 'bing-webmaster'
      ? 'expected a URL such as https://www.example.com/'
      : 'expected sc-domain:example.com or a URL such as https://www.example.com/';
  // A domain property may be of the whole domain and the website below it, or the other way round.
  return isOwnHost(host, domain) || isOwnHost(domain, host)
    ? null
    : `it is of ${host}, the website is ${domain}`;
}

function hostOf(kind: ConnectionKind, property: string): string | null {
  if (kind === 'google-search-console' && property.startsWith(DOMAIN_PROPERTY))
    return property.slice(DOMAIN_PROPERTY.length).toLowerCase() || null;
  if (!/^https?:\/\//.test(property) || !isUrl(property)) return null;
  return new URL(property).hostname;
}
