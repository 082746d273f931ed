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
 * Folds one decision into the state, whole or not at all. It is ignored where one of its events was decided
 * on a version that has passed (another writer was first, or the record was delivered twice), or concerns what was erased. The state is
 * changed in place: a fold of a million events may not copy a map for each.
 * @returns whether it holds.
 * @throws ZodError where a known event's data can't be read; the state is untouched.
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

/** Decided by somebody who had not seen yet that it is gone: it must not come back, not in part and not as a name that is taken. */
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
 * A kind that only a newer release knows counts as a version and changes nothing, so that releases can
 * overlap while they are rolled out.
 */
function readChange(event: ControlEvent): ((state: WritableState, at: string) => void) | null {
  const kind = kindByType.get(event.type);
  if (kind === undefined) return null;
  const data = kind.schema.parse(event.data);
  return (state, at) => kind.evolve(state, event.aggregateId, data, at);
}
