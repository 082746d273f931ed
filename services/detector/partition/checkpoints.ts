import { MINUTE_MS } from '../../../shared/durations.js';
import { inPieces } from '../../../shared/in-pieces.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredArrivals } from '../../../shared/queries/detector-arrivals.js';
import { textsNaming } from '../../../shared/requests/naming-address.js';
import type { GiveTurn } from '../../../shared/turns.js';
import { encodeArrivals } from '../arrivals/arrivals-codec.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, keepWriting, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import type { LearnedStates } from './learned-states.js';
import { storeRows } from './store-rows.js';
import type { Books } from './take-arrivals.js';
import type { TrackedWebsite } from './tracked-website.js';

/** A restart notes so much of `requests.stored` again. */
export const CHECKPOINT_MS = 5 * MINUTE_MS;
/** Of one insert. */
const WEBSITES_AT_ONCE = 1_000;
/** Whose learned states are looked through together. */
const FORGETTING_AT_ONCE = 100;

export interface CheckpointDependencies<State> {
  readonly core: Pick<DetectorCore<State>, 'forgetAddress'>;
  readonly store: Pick<DetectorStore, 'saveArrivals'>;
  readonly states: LearnedStates<State>;
  readonly books: Books;
  /** @throws StaleAssignmentError */
  commit(offset: number): Promise<void>;
  /** Commits what is committed already. @throws StaleAssignmentError where the partition has another owner */
  checkOwner(): Promise<void>;
  /** Puts what was written on the disk, where that is this process's to do. */
  sync(): Promise<void>;
  isErased(websiteId: string): boolean;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'refusedRows'>;
  readonly logger: Logger;
  readonly giveTurn: GiveTurn;
  now(): number;
}

/**
 * Lets go of what is to be forgotten, saves the arrivals of every website that has changed, and commits the offset before which all are
 * saved. To be called when everything that closed intervals led to is written.
 * @throws PartitionLeftError, StaleAssignmentError
 */
export async function saveCheckpoint<State>(deps: CheckpointDependencies<State>): Promise<void> {
  const { books, trying } = deps;
  // Records that come from here on are in the next one.
  const offset = books.position;
  await forgetAsked(deps);
  const changed = [...books.websites.values()].filter(({ id, isChanged }) => isChanged && !deps.isErased(id));
  let isSaved = true;
  for (const some of inPieces(changed, WEBSITES_AT_ONCE)) {
    isSaved = (await saveArrivals(some, deps)) && isSaved;
    await deps.giveTurn();
  }
  if (!isSaved) return;
  await keepTrying(deps.sync, trying);
  await keepTrying(() => deps.commit(offset), trying);
}

/** @returns false: some are refused for good, and nothing may be committed that rests on them */
async function saveArrivals<State>(
  websites: readonly TrackedWebsite[],
  deps: CheckpointDependencies<State>,
): Promise<boolean> {
  let isSaved = true;
  const rows = websites.map((website): StoredArrivals => {
    website.isChanged = false;
    return { websiteId: website.id, arrivals: encodeArrivals(website.arrivals), savedAt: deps.now() };
  });
  await storeRows(rows, {
    store: (some, mostRefusals) =>
      keepWriting(
        async () => {
          await deps.checkOwner();
          await deps.store.saveArrivals(some);
        },
        deps.trying,
        mostRefusals,
      ),
    onRefused(refused, error) {
      isSaved = false;
      deps.metrics.refusedRows.inc({ table: 'detector_arrivals' }, refused.length);
      for (const { websiteId } of refused) {
        deps.logger.error({ err: error, website_id: websiteId }, 'arrivals are not saved');
        const website = deps.books.websites.get(websiteId);
        if (website !== undefined) website.isChanged = true;
      }
    },
  });
  return isSaved;
}

/** Texts that name an address stand in learned states alone. */
async function forgetAsked<State>({
  books,
  core,
  states,
  giveTurn,
}: CheckpointDependencies<State>): Promise<void> {
  const asked = books.toForget.splice(0).filter(({ address }) => address !== '');
  for (const some of inPieces(asked, FORGETTING_AT_ONCE)) {
    const websites = new Set(some.flatMap(({ websiteId }) => books.websites.get(websiteId) ?? []));
    // What a state takes over when it is loaded is lost where it is not saved.
    const changedBy = new Set([...websites].filter(({ adopted }) => adopted.length > 0).map(({ id }) => id));
    const loaded = await states.load([...websites]);
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
