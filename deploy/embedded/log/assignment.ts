import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumeOptions } from '../../../shared/event-log/event-log.js';
import { logDiverged } from '../../../shared/event-log/log-diverged.js';
import type { Listeners } from './listeners.js';
import { createSignal } from './signal.js';
import type { Store } from './store.js';

const DEFAULT_MAX_BYTES = 4 * 1024 ** 2;
/** Of the calls of all partitions together; nothing is read ahead of them. */
const ALL_BYTES = 32 * 1024 ** 2;

/** One consumer's work on one partition: `onAssigned`, then `onRecords` again and again, until asked to stop. */
export interface Assignment {
  /** No call begins after this one. */
  halt(): void;
  /** Tells whoever works on the partition that it is no longer theirs. */
  lose(reason: Error): void;
  /** Resolves when the running call, if any, is over. Never rejects. */
  readonly ended: Promise<void>;
}

/** @param onFailure what a handler or the store threw; the assignment has ended */
export function startAssignment(
  store: Store,
  listeners: Listeners,
  options: ConsumeOptions,
  partition: number,
  onFailure: (error: unknown) => void,
): Assignment {
  const { topic, group } = options;
  const share = Math.ceil(ALL_BYTES / store.partitions(topic));
  const maxBytes = Math.min(options.maxBytes ?? DEFAULT_MAX_BYTES, share);
  const signal = createSignal();
  const lost = new AbortController();
  const unlisten = listeners.listen(topic, partition, signal.wake);
  let halted = false;

  async function run(): Promise<void> {
    const committed = store.committed(topic, group, partition);
    await options.onAssigned?.(partition, committed, lost.signal, store.partitions(topic));
    const { next: end } = store.extent(topic, partition);
    if (committed !== null && committed.offset > end)
      throw logDiverged({ topic, group, partition, read: committed.offset, end });
    // Reading from an offset that retention has dropped begins at the oldest record left.
    let next = committed?.offset ?? 0;
    while (!halted) {
      const records = store.read(topic, partition, next, maxBytes);
      const last = records.at(-1);
      if (!last) {
        await signal.wait();
        continue;
      }
      await options.onRecords(partition, records);
      next = last.offset + 1;
      // A handler that never waits would otherwise hold the event loop for the whole backlog.
      await nextTurn();
    }
  }

  return {
    halt() {
      halted = true;
      signal.wake();
    },
    lose: (reason) => lost.abort(reason),
    ended: run().catch(onFailure).finally(unlisten),
  };
}
