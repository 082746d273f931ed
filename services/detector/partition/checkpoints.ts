import { MINUTE_MS } from '../../../shared/durations.js';
import type { Logger } from '../../../shared/log.js';
import type { StoredState } from '../../../shared/queries/detector-states.js';
import type { GiveTurn } from '../../../shared/turns.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, keepWriting, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { storeRows } from './store-rows.js';
import { encodeTracked, type TrackedWebsite } from './tracked-website.js';

/** A restart reads so much of `requests.signals` again, and judges so many intervals again. */
export const CHECKPOINT_MS = 5 * MINUTE_MS;
/** Of one insert; it is put together in one turn of the event loop. */
const INSERT_BYTES = 1024 ** 2;

export interface CheckpointDependencies<State> {
  readonly core: DetectorCore<State>;
  readonly store: Pick<DetectorStore, 'saveStates'>;
  readonly partition: number;
  readonly websites: ReadonlyMap<string, TrackedWebsite<State>>;
  /** The next offset that is to be counted. */
  position(): number;
  /** @throws StaleAssignmentError */
  commit(offset: number): Promise<void>;
  /** Judges what has become due meanwhile and writes what it led to, so that no interval waits for the states of all websites. */
  closeDue(): Promise<void>;
  /** Runs a write, and knows since when. */
  during(write: () => Promise<void>): Promise<void>;
  /** Characters after which states are inserted. */
  readonly insertBytes?: number;
  /** Puts what was written on the disk, where that is this process's to do. */
  sync(): Promise<void>;
  isErased(websiteId: string): boolean;
  readonly trying: Trying;
  readonly metrics: Pick<DetectorMetrics, 'refusedRows'>;
  readonly logger: Logger;
  readonly giveTurn: GiveTurn;
  now(): number;
}

interface Unsaved<State> {
  readonly stored: StoredState;
  readonly website: TrackedWebsite<State>;
  /** As it was before. */
  readonly unsavedFrom: number | null;
}

/**
 * Saves the state of every website that has changed, and commits the offset before which the saved states hold everything. To be called
 * when all that they led to is written. A state that the store refuses for good stays unsaved, and nothing is committed that rests on it. @throws PartitionLeftError, StaleAssignmentError
 */
export async function saveCheckpoint<State>(deps: CheckpointDependencies<State>): Promise<void> {
  const { websites, trying, insertBytes = INSERT_BYTES } = deps;
  let batch: Unsaved<State>[] = [];
  let bytes = 0;
  for (const website of [...websites.values()]) {
    if (!website.isChanged || deps.isErased(website.id)) continue;
    const state = encodeTracked(deps.core, website);
    const { unsavedFrom } = website;
    // What comes from here on is in the next one. If this one is not stored, nothing is committed that rests on it.
    website.isChanged = false;
    website.unsavedFrom = null;
    batch.push({
      ...{ website, unsavedFrom },
      stored: {
        websiteId: website.id,
        state,
        partition: deps.partition,
        offset: deps.position(),
        savedAt: deps.now(),
      },
    });
    bytes += state.length;
    if (bytes >= insertBytes) {
      await saveBatch();
      await deps.closeDue();
    }
    await deps.giveTurn();
  }
  await saveBatch();
  const offset = heldBefore(websites.values(), deps.position());
  await deps.during(() => keepTrying(deps.sync, trying));
  await deps.during(() => keepTrying(() => deps.commit(offset), trying));

  async function saveBatch(): Promise<void> {
    const states = batch;
    batch = [];
    bytes = 0;
    if (states.length === 0) return;
    const save = (some: typeof states) => deps.store.saveStates(some.map(({ stored }) => stored));
    await deps.during(() =>
      storeRows(states, {
        store: (some, mostRefusals) => keepWriting(() => save([...some]), trying, mostRefusals),
        onRefused(refused, error) {
          deps.metrics.refusedRows.inc({ table: 'detector_states' }, refused.length);
          for (const { website, unsavedFrom } of refused) {
            website.isChanged = true;
            website.unsavedFrom = unsavedFrom ?? website.unsavedFrom;
            deps.logger.error({ err: error, website_id: website.id }, 'a state is not saved');
          }
        },
      }),
    );
  }
}

function heldBefore<State>(websites: Iterable<TrackedWebsite<State>>, position: number): number {
  let offset = position;
  for (const { unsavedFrom } of websites) offset = Math.min(offset, unsavedFrom ?? offset);
  return offset;
}
