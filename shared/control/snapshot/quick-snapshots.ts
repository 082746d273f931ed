import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from './snapshot.js';
import type { SnapshotStore } from './snapshot-store.js';

/**
 * Snapshots for who can do without: each step of reading one that takes longer fails, and the fold begins at the first record
 * as if there were none.
 * @param stepMs for the list, and for each part.
 */
export function quickSnapshots(
  store: Pick<SnapshotStore, 'readNewest'>,
  stepMs: number,
): Pick<SnapshotStore, 'readNewest'> {
  const inStep = <T>(step: Promise<T>): Promise<T> => {
    const ended = new AbortController();
    const late = sleep(stepMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`no answer within ${stepMs} ms`);
    });
    late.catch(() => {});
    return Promise.race([step, late]).finally(() => ended.abort());
  };

  async function* quick(parts: Snapshot['parts']): AsyncGenerator<string> {
    const walk = parts[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await inStep(walk.next());
      if (done) return;
      yield value;
    }
  }

  return {
    async readNewest(fingerprint) {
      const found = await inStep(store.readNewest(fingerprint));
      return found === null ? null : { ...found, parts: quick(found.parts) };
    },
  };
}
