import { MINUTE_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { GiveTurn } from '../../../shared/pacing/turns.js';
import { textsNaming } from '../../../shared/personal-data/naming-address.js';
import { encodeArrivals } from '../arrivals/arrivals-codec.js';
import { isBeginning } from '../arrivals/website-arrivals.js';
import type { DetectorCore } from '../evaluation/core.js';
import type { StoredArrivals } from '../tables/detector-arrivals.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { keepTrying } from './keep-trying.js';
import type { LearnedStates } from './learned-states.js';
import { type OwnedWrite, type OwnedWriteDependencies, storeRows } from './store-rows.js';
import type { PartitionMemory } from './take-arrivals.js';
import { newTrackedWebsite, type TrackedWebsite } from './tracked-website.js';

/**
 * Interval between checkpoints. A restart reads the records of `requests.stored` since the last one again.
 */
export const CHECKPOINT_MS = 5 * MINUTE_MS;
/** Websites in one insert. */
const WEBSITES_AT_ONCE = 1_000;
/** Requests to forget that are carried out together. */
const FORGETTING_AT_ONCE = 100;

export interface CheckpointDependencies<State> extends OwnedWriteDependencies {
  readonly core: Pick<DetectorCore<State>, 'forgetAddress'>;
  readonly store: Pick<DetectorStore, 'saveArrivals'>;
  readonly states: LearnedStates<State>;
  readonly memory: PartitionMemory;
  /** @throws StaleAssignmentError */
  commit(offset: number): Promise<void>;
  /** Syncs the store to the disk, where this process runs the store. */
  sync(): Promise<void>;
  isErased(websiteId: string): boolean;
  readonly logger: Logger;
  readonly giveTurn: GiveTurn;
  now(): number;
}

/**
 * Carries out requests to forget an address, saves the arrivals of every changed website, and commits the
 * offset before which all are saved. Call it after the results of closed intervals are written.
 * @throws PartitionLeftError, StaleAssignmentError
 */
export async function saveCheckpoint<State>(deps: CheckpointDependencies<State>): Promise<void> {
  const { memory, trying } = deps;
  // Records from here on belong to the next checkpoint.
  const offset = memory.position;
  await forgetAsked(deps);
  const changed = [...memory.websites.values()].filter(
    ({ id, isChanged }) => isChanged && !deps.isErased(id),
  );
  if (!(await saveArrivals(changed, deps))) return;
  await keepTrying(deps.sync, trying);
  await keepTrying(() => deps.commit(offset), trying);
}

type SavingDependencies = Pick<
  CheckpointDependencies<unknown>,
  'checkOwner' | 'trying' | 'metrics' | 'store' | 'memory' | 'logger' | 'giveTurn' | 'now'
>;

/**
 * Saves the current arrivals of the websites.
 * @returns false if the store permanently refuses rows: the offset must then not be committed
 * @throws PartitionLeftError, StaleAssignmentError
 */
export async function saveArrivals(
  websites: readonly TrackedWebsite[],
  deps: SavingDependencies,
): Promise<boolean> {
  let isSaved = true;
  for (const some of inPieces(websites, WEBSITES_AT_ONCE)) {
    isSaved = (await saveSome(some, deps)) && isSaved;
    await deps.giveTurn();
  }
  return isSaved;
}

async function saveSome(websites: readonly TrackedWebsite[], deps: SavingDependencies): Promise<boolean> {
  let isSaved = true;
  const rows = websites.map((website): StoredArrivals => {
    website.isChanged = false;
    return { websiteId: website.id, arrivals: encodeArrivals(website.arrivals), savedAt: deps.now() };
  });
  const onRefused: OwnedWrite<StoredArrivals>['onRefused'] = (refused, error) => {
    isSaved = false;
    for (const { websiteId } of refused) {
      deps.logger.error({ err: error, website_id: websiteId }, 'arrivals are not saved');
      const website = deps.memory.websites.get(websiteId);
      if (website !== undefined) website.isChanged = true;
    }
  };
  const insert = (some: readonly StoredArrivals[]) => deps.store.saveArrivals(some);
  await storeRows(rows, { table: 'detector_arrivals', insert, onRefused }, deps);
  return isSaved;
}

/** Only learned states contain text that can name an address. */
async function forgetAsked<State>({
  memory,
  core,
  states,
  giveTurn,
}: CheckpointDependencies<State>): Promise<void> {
  const asked = memory.toForget.splice(0).filter(({ address }) => address !== '');
  for (const some of inPieces(asked, FORGETTING_AT_ONCE)) {
    // The state of a forgotten website stays in the store.
    const ids = new Set(some.map(({ websiteId }) => websiteId));
    const websites = [...ids].map((id) => memory.websites.get(id) ?? newTrackedWebsite(id));
    // `load` adds adopted alerts to the state or starts a new one, so it must be saved even if nothing was
    // forgotten.
    const isChangedBy = ({ adopted, arrivals }: TrackedWebsite) =>
      adopted.length > 0 || isBeginning(arrivals);
    const changedBy = new Set(websites.filter(isChangedBy).map(({ id }) => id));
    const loaded = await states.load(websites);
    const changed = new Map<string, State>();
    for (const { websiteId, address } of some) {
      const state = loaded.get(websiteId);
      if (state === undefined) continue;
      const isChanged = core.forgetAddress(state, textsNaming(address));
      if (isChanged || changedBy.has(websiteId)) changed.set(websiteId, state);
      await giveTurn();
    }
    await states.save(changed);
  }
}
