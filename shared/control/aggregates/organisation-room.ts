import { type Refusal, refuse } from '../domain/command.js';
import type { Segment, StoredApiKey } from '../domain/model.js';
import { isFromLibrary } from '../domain/share-library.js';
import type { ControlState } from '../domain/state.js';

/**
 * Limits of one organisation in the state. Every process of the installation has the state in memory, and a plan allows 10,000 writes
 * per hour. Usual organisations are far below the limits.
 */

export const MOST_WEBSITES = 10_000;
/** Characters of its segments, without segments of the library, whose rules are in memory once. */
export const MOST_SEGMENT_CHARACTERS = 5_000_000;
export const MOST_RESOLVED = 5_000;
export const MOST_SUPPRESSED = 1_000;
/** Clients of `/mcp`, without those that ended more than a day ago. */
export const MOST_CLIENT_CONNECTIONS = 1_000;
/** A viewer can not take the room of the whole organisation. */
const MOST_CONNECTIONS_OF_A_VIEWER = 50;

type Refused = { readonly refusal: Refusal };

/** @returns null, as all functions here, if the limit allows one more. */
export function refuseWebsite(state: ControlState, organisationId: string): Refused | null {
  if (state.websites.by('organisationId', organisationId).length < MOST_WEBSITES) return null;
  return refuse('conflict', `an organisation has at most ${MOST_WEBSITES} websites`);
}

/** @param replaced the replaced segment; null: none */
export function refuseSegment(
  state: ControlState,
  websiteId: string,
  segment: SegmentTexts,
  replaced: Segment | null,
): Refused | null {
  let characters = lengthOf(segment) - (replaced === null ? 0 : lengthOf(replaced));
  for (const id of siblingsOf(state, websiteId))
    for (const each of state.segments.by('websiteId', id)) characters += lengthOf(each);
  if (characters <= MOST_SEGMENT_CHARACTERS) return null;
  return refuse(
    'conflict',
    `the segments of an organisation have at most ${MOST_SEGMENT_CHARACTERS} characters together, and with this one there would be ${characters}`,
  );
}

export function refuseResolution(state: ControlState, websiteId: string): Refused | null {
  const kept = countOf(state, websiteId, (id) => state.resolutions.by('websiteId', id));
  if (kept < MOST_RESOLVED) return null;
  return refuse('conflict', `the organisation has ${kept} resolved recommendations: reopen some first`);
}

export function refuseSuppression(state: ControlState, websiteId: string): Refused | null {
  const kept = countOf(state, websiteId, (id) => state.suppressions.by('websiteId', id));
  if (kept < MOST_SUPPRESSED) return null;
  return refuse('conflict', `the organisation has ${kept} suppressed bots: let some go first`);
}

export function refuseClientConnection(
  state: ControlState,
  { organisationId, userId, scope }: Pick<StoredApiKey, 'organisationId' | 'userId' | 'scope'>,
): Refused | null {
  const kept = state.apiKeys.by('organisationId', organisationId).filter(({ kind }) => kind === 'connection');
  if (kept.length >= MOST_CLIENT_CONNECTIONS)
    return refuse('conflict', `the organisation has ${kept.length} connected clients: revoke some first`);
  const own = kept.filter((connection) => connection.userId === userId).length;
  if (scope === 'read' && own >= MOST_CONNECTIONS_OF_A_VIEWER)
    return refuse('conflict', `you have ${own} connected clients: revoke some first`);
  return null;
}

function countOf(
  state: ControlState,
  websiteId: string,
  keptBy: (websiteId: string) => readonly unknown[],
): number {
  return siblingsOf(state, websiteId).reduce((sum, id) => sum + keptBy(id).length, 0);
}

type SegmentTexts = Pick<Segment, 'name' | 'rules' | 'excludeRules' | 'notes'>;

function lengthOf(segment: SegmentTexts): number {
  const { name, rules, excludeRules, notes } = segment;
  const own = isFromLibrary(segment) ? excludeRules : [...rules, ...excludeRules];
  return own.reduce((sum, { value }) => sum + value.length, name.length + (notes?.length ?? 0));
}

/** Websites of the same organisation, itself among them. */
function siblingsOf(state: ControlState, websiteId: string): string[] {
  const { organisationId } = state.websites.get(websiteId)!;
  return state.websites.by('organisationId', organisationId).map(({ id }) => id);
}
