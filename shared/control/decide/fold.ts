import { type ControlEvent, type Decision, NO_VERSION } from '../domain/event.js';
import {
  aggregateKey,
  type ControlState,
  versionOf,
  type WritableState,
  wasErased,
} from '../domain/state.js';
import { eventKinds } from './kinds.js';

const kindByType = new Map(eventKinds.map((kind) => [kind.type, kind]));

/**
 * Folds one decision into the state, completely or not at all. A decision is ignored if one of its events was decided
 * on an old version (another writer was first, or the record was delivered twice), or concerns erased data. Changes the
 * state in place, since a fold of a million events cannot copy a map for each.
 * @returns whether the decision is valid.
 * @throws ZodError if a known event's data is unreadable; the state is unchanged.
 */
export function evolve(state: WritableState, decision: Decision): boolean {
  if (!decision.events.every((event) => isCurrent(state, event))) return false;
  if (decision.events.some((event) => concernsErased(state, event))) return false;
  const changes = decision.events.map((event) => readChange(event));
  for (const [index, event] of decision.events.entries()) {
    changes[index]?.(state, decision.at);
    if (event.version === NO_VERSION) continue;
    state.versions.set(aggregateKey(event.aggregate, event.aggregateId), event.version);
  }
  return true;
}

function isCurrent(state: ControlState, event: ControlEvent): boolean {
  const { aggregate, aggregateId, version } = event;
  return version === NO_VERSION || version === versionOf(state, aggregate, aggregateId) + 1;
}

/** Their id is that of the website. */
const OF_A_WEBSITE: ReadonlySet<string> = new Set([
  'segment_list',
  'export_list',
  'crawl_list',
  'resolution_list',
  'suppression_list',
]);

/** The writer had not yet seen the erasure: erased data must not return, not even as a taken name. */
function concernsErased(state: ControlState, { aggregate, aggregateId, data }: ControlEvent): boolean {
  const { organisationId, websiteId, userId } = (data ?? {}) as Readonly<Record<string, unknown>>;
  const gone = (kind: Parameters<typeof wasErased>[1], id: unknown) =>
    typeof id === 'string' && wasErased(state, kind, id);
  if (gone('organisation', organisationId) || gone('website', websiteId) || gone('user', userId)) return true;
  if (OF_A_WEBSITE.has(aggregate)) return gone('website', aggregateId);
  if (aggregate === 'checkout') return gone('organisation', aggregateId);
  return aggregate === 'report_quota' && gone('organisation', aggregateId.split('/')[0]);
}

/**
 * An unknown kind from a newer release counts as a version and changes nothing, so that releases can overlap during a
 * rollout.
 */
function readChange(event: ControlEvent): ((state: WritableState, at: string) => void) | null {
  const kind = kindByType.get(event.type);
  if (kind === undefined) return null;
  const data = kind.schema.parse(event.data);
  return (state, at) => kind.evolve(state, event.aggregateId, data, at);
}
