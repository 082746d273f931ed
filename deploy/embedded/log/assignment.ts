import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumeOptions } from '../../../shared/event-log/event-log.js';
import { logDiverged } from '../../../shared/event-log/log-diverged.js';
import type { Listeners } from './listeners.js';
import { createSignal } from './signal.js';
import type { Store } from './store.js';

const DEFAULT_MAX_BYTES = 4 * 1024 ** 2;
/** Limit for the running calls of all partitions together; no records are prefetched. */
const ALL_BYTES = 32 * 1024 ** 2;

/** One consumer's work on one partition: `onAssigned`, then repeated `onRecords` until it is stopped. */
export interface Assignment {
  /** No call begins after this one. */
  halt(): void;
  /** Signals the handler that it has lost the partition. */
  lose(reason: Error): void;
  /** Resolves when the running call, if any, has ended. Never rejects. */
  readonly ended: Promise<void>;
}

/** @param onFailure gets the error of a handler or the store; the assignment has ended then */
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
    // If retention has dropped the offset, reading starts at the oldest record left.
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
      // Otherwise a handler without waits would block the event loop for the whole backlog.
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
