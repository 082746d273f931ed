import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Snapshot } from '../../shared/control/snapshot/snapshot.js';
import type { SnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';

type Held = Omit<Snapshot, 'parts'> & { readonly parts: readonly string[] };

/**
 * Snapshots in memory. As in the table, a repeated write changes nothing, and an unfinished snapshot is
 * invisible.
 */
export interface MemorySnapshotStore extends SnapshotStore {
  /** In the order in which they were finished. */
  readonly held: readonly Held[];
  /** Adds it as if it had been written. */
  put(snapshot: Held): void;
  /** Blocks writes until `release`. */
  hold(): void;
  release(): void;
  /** Number of started writes. */
  readonly begun: number;
}

export function createMemorySnapshotStore(): MemorySnapshotStore {
  const held: Held[] = [];
  let begun = 0;
  let released: Promise<void> | null = null;
  let release = () => {};

  return {
    held,
    get begun() {
      return begun;
    },
    put: (snapshot) => void held.push(snapshot),
    hold() {
      released = new Promise((resolve) => {
        release = resolve;
      });
    },
    release() {
      released = null;
      release();
    },
    async readNewest(fingerprint) {
      const newest = held.findLast((snapshot) => snapshot.fingerprint === fingerprint);
      return newest === undefined ? null : { ...newest, parts: partsOf(newest.parts) };
    },
    async write({ parts, ...name }) {
      begun++;
      await released;
      const taken: string[] = [];
      for await (const part of parts) taken.push(part);
      if (!held.some(({ nextOffset }) => nextOffset === name.nextOffset))
        held.push({ ...name, parts: taken });
    },
  };
}

/** Texts as the parts of a snapshot. */
export async function* partsOf(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

/** Some turns of the event loop: enough to write a small snapshot. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
