import type { Logger } from '../../../shared/logging/log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { GiveTurn } from '../../../shared/pacing/turns.js';
import { isTooLargeToRead } from '../../../shared/store/store-errors.js';
import { isBeginning } from '../arrivals/website-arrivals.js';
import type { DetectorCore } from '../evaluation/core.js';
import type { StoredState } from '../tables/detector-states.js';
import type { DetectorStore } from '../tables/detector-store.js';
import { keepTrying } from './keep-trying.js';
import type { StateCache } from './state-cache.js';
import { type OwnedWriteDependencies, storeRows } from './store-rows.js';
import type { TrackedWebsite } from './tracked-website.js';

/** The learned states of websites. All are in the store, the most recently used ones also in memory. */
export interface LearnedStates<State> {
  /**
   * The state of each website. It is new if none is stored or if the website restarts.
   * @throws PartitionLeftError
   */
  load(websites: readonly TrackedWebsite[]): Promise<Map<string, State>>;
  /**
   * Saves the current states.
   * @throws PartitionLeftError, StaleAssignmentError
   */
  save(states: ReadonlyMap<string, State>): Promise<void>;
  /** Removes a website's state from memory. */
  drop(websiteId: string): void;
}

export interface LearnedStatesDependencies<State> extends OwnedWriteDependencies {
  readonly core: Pick<DetectorCore<State>, 'newState' | 'encode' | 'decode' | 'adoptAlerts'>;
  readonly store: Pick<DetectorStore, 'states' | 'saveStates'>;
  readonly cache: StateCache<State>;
  isErased(websiteId: string): boolean;
  /** Characters in one insert. */
  readonly insertBytes?: number;
  now(): number;
  readonly giveTurn: GiveTurn;
  readonly logger: Logger;
}

/** Websites in one read, whose answer is in memory as text and as objects. */
const READ_WEBSITES = 100;
/** Characters in one insert, which is built in one turn of the event loop. */
const INSERT_BYTES = 1024 ** 2;

export function createLearnedStates<State>(deps: LearnedStatesDependencies<State>): LearnedStates<State> {
  const { core, cache, insertBytes = INSERT_BYTES } = deps;
  const { readInto } = createStateReader(deps);

  return {
    async load(websites) {
      const states = new Map<string, State>();
      const missing: string[] = [];
      for (const { id, arrivals } of websites) {
        // Saving the new state replaces the one in the store and in memory.
        if (isBeginning(arrivals)) continue;
        const known = cache.get(id);
        if (known === undefined) missing.push(id);
        else states.set(id, known);
      }
      for (const ids of inPieces(missing, READ_WEBSITES)) await readInto(states, ids);
      for (const website of websites) {
        const state = states.get(website.id) ?? core.newState(website.id);
        states.set(website.id, state);
        if (website.adopted.length > 0) core.adoptAlerts(state, website.adopted);
        website.adopted = [];
      }
      return states;
    },
    async save(states) {
      let batch: StoredState[] = [];
      let bytes = 0;
      for (const [websiteId, state] of states) {
        if (deps.isErased(websiteId)) continue;
        const text = core.encode(state);
        cache.set(websiteId, state, text.length);
        batch.push({ websiteId, state: text, savedAt: deps.now() });
        bytes += text.length;
        if (bytes >= insertBytes) {
          await insertStates(batch, deps);
          batch = [];
          bytes = 0;
        }
        await deps.giveTurn();
      }
      await insertStates(batch, deps);
    },
    drop: cache.delete,
  };
}

function createStateReader<State>(deps: LearnedStatesDependencies<State>) {
  const { core, store, cache, trying, logger } = deps;

  function logUnreadable(websiteId: string, error: unknown): void {
    logger.error(
      { err: error, website_id: websiteId },
      'a stored state cannot be read: the website starts with a new one',
    );
  }

  /** A state that cannot be read must not stop the evaluation of the other websites. */
  async function read(websiteIds: readonly string[]): Promise<StoredState[]> {
    try {
      return await store.states(websiteIds);
    } catch (error) {
      if (!isTooLargeToRead(error)) throw error;
      if (websiteIds.length > 1) {
        const halves = inPieces(websiteIds, Math.ceil(websiteIds.length / 2));
        return [...(await read(halves[0]!)), ...(await read(halves[1]!))];
      }
      logUnreadable(websiteIds[0]!, error);
      return [];
    }
  }

  function decoded({ websiteId, state }: StoredState): State | null {
    try {
      return core.decode(state);
    } catch (error) {
      logUnreadable(websiteId, error);
      return null;
    }
  }

  async function readInto(states: Map<string, State>, websiteIds: readonly string[]): Promise<void> {
    for (const stored of await keepTrying(() => read(websiteIds), trying)) {
      const state = decoded(stored);
      if (state !== null) {
        states.set(stored.websiteId, state);
        cache.set(stored.websiteId, state, stored.state.length);
      }
      await deps.giveTurn();
    }
  }

  return { readInto };
}

function insertStates(rows: readonly StoredState[], deps: LearnedStatesDependencies<unknown>): Promise<void> {
  const { store, logger } = deps;
  return storeRows(
    rows,
    {
      table: 'detector_states',
      insert: (some) => store.saveStates(some),
      onRefused(refused, error) {
        for (const { websiteId } of refused)
          logger.error({ err: error, website_id: websiteId }, 'a state was not saved');
      },
    },
    deps,
  );
}
