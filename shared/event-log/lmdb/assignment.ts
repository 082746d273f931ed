import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConsumeOptions } from '../event-log.js';
import { createGate } from './gate.js';
import type { Listeners } from './listeners.js';
import type { Store } from './store.js';

const DEFAULT_MAX_BYTES = 4 * 1024 ** 2;

/** One consumer's work on one partition: `onAssigned`, then `onRecords` again and again, until asked to stop. */
export interface Assignment {
  /** No call begins after this one. */
  halt(): void;
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
  const { topic, group, maxBytes = DEFAULT_MAX_BYTES } = options;
  const gate = createGate();
  const unlisten = listeners.listen(topic, partition, gate.wake);
  let halted = false;

  async function run(): Promise<void> {
    const committed = store.committed(topic, group, partition);
    await options.onAssigned?.(partition, committed, new AbortController().signal);
    // Reading from an offset that retention has dropped begins at the oldest record left.
    let next = committed?.offset ?? 0;
    while (!halted) {
      const records = store.read(topic, partition, next, maxBytes);
      const last = records.at(-1);
      if (!last) {
        await gate.wait();
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
      gate.wake();
    },
    ended: run().catch(onFailure).finally(unlisten),
  };
}
