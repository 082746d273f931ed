import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from './snapshot.js';
import type { SnapshotStore } from './snapshot-store.js';

/**
 * Optional snapshots: each step of reading one has a timeout. After it the fold begins at the first record, as without
 * a snapshot.
 * @param stepMs timeout of the list, and of each part.
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
