import { apiKeyCreated, apiKeyRevoked } from './api-key.js';
import type { ControlEvent, Decision, EventKind } from './event.js';
import { ingestKeyCreated, ingestKeyRevoked } from './ingest-key.js';
import { organisationCreated, planChanged } from './organisation.js';
import { aggregateKey, type ControlState, versionOf, type WritableState } from './state.js';
import { nameClaimed } from './unique-name.js';
import { userAdded } from './user.js';
import { websiteAdded } from './website.js';

/** Every kind of event that may stand in the log. A kind is never taken off this list. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of different data share a list; each parses its own
export const eventKinds: readonly EventKind<any>[] = [
  organisationCreated,
  planChanged,
  userAdded,
  websiteAdded,
  apiKeyCreated,
  apiKeyRevoked,
  ingestKeyCreated,
  ingestKeyRevoked,
  nameClaimed,
];

const kindByType = new Map(eventKinds.map((kind) => [kind.type, kind]));

/**
 * Folds one decision into the state, whole or not at all. It is ignored where one of its events was decided
 * on a version that has passed (another writer was first, or the record was delivered twice). The state is
 * changed in place: a fold of a million events may not copy a map for each.
 * @returns whether it holds.
 * @throws ZodError where a known event's data can't be read; the state is untouched.
 */
export function evolve(state: WritableState, decision: Decision): boolean {
  if (!decision.events.every((event) => isCurrent(state, event))) return false;
  const changes = decision.events.map((event) => readChange(event));
  for (const [index, event] of decision.events.entries()) {
    changes[index]?.(state, decision.at);
    state.versions.set(aggregateKey(event.aggregate, event.aggregateId), event.version);
  }
  return true;
}

function isCurrent(state: ControlState, { aggregate, aggregateId, version }: ControlEvent): boolean {
  return version === versionOf(state, aggregate, aggregateId) + 1;
}

/**
 * A kind that only a newer release knows counts as a version and changes nothing, so that releases can
 * overlap while they are rolled out.
 */
function readChange(event: ControlEvent): ((state: WritableState, at: string) => void) | null {
  const kind = kindByType.get(event.type);
  if (kind === undefined) return null;
  const data = kind.schema.parse(event.data);
  return (state, at) => kind.evolve(state, event.aggregateId, data, at);
}
