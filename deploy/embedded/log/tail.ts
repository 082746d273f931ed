import { setImmediate as nextTurn } from 'node:timers/promises';
import { LogUnavailableError, type Tail, type TailOptions } from '../../../shared/event-log/event-log.js';
import type { Listeners } from './listeners.js';
import { createSignal } from './signal.js';
import type { Store } from './store.js';

const MAX_BYTES_PER_CALL = 4 * 1024 ** 2;

/** Passes every record of the topic to the handler, from the requested position on, cycling through the partitions. */
export function startTail(store: Store, listeners: Listeners, options: TailOptions): Tail {
  const { topic, from = 0 } = options;
  const partitions = [...Array(store.partitions(topic)).keys()];
  const goal = partitions.map((partition) => store.extent(topic, partition).next);
  const cursor = partitions.map((partition) => Math.max(from, store.extent(topic, partition).oldest));
  const signal = createSignal();
  const unlisten = partitions.map((partition) => listeners.listen(topic, partition, signal.wake));
  let stopping = false;
  let reached!: () => void;
  let missed!: (error: Error) => void;
  const caughtUp = new Promise<void>((resolve, reject) => {
    reached = resolve;
    missed = reject;
  });
  // A caller that does not await it must not be ended by its rejection.
  caughtUp.catch(() => {});

  /** @returns whether there were records */
  async function handOver(partition: number): Promise<boolean> {
    const records = store.read(topic, partition, cursor[partition]!, MAX_BYTES_PER_CALL);
    const last = records.at(-1);
    if (!last) {
      // Retention may have dropped the next records.
      cursor[partition] = Math.max(cursor[partition]!, store.extent(topic, partition).oldest);
      return false;
    }
    await options.onRecords(records);
    cursor[partition] = last.offset + 1;
    // Otherwise a handler without waits would block the event loop for the whole backlog.
    await nextTurn();
    return true;
  }

  async function run(): Promise<void> {
    // Waits until the caller has the tail.
    await nextTurn();
    while (!stopping) {
      let found = false;
      for (const partition of partitions) {
        if (!stopping && (await handOver(partition))) found = true;
      }
      if (partitions.every((partition) => cursor[partition]! >= goal[partition]!)) reached();
      if (!found && !stopping) await signal.wait();
    }
  }

  const ended = run()
    .catch((caught: unknown) => {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      missed(error);
      // In its own microtask: an error of the callback reaches the process.
      queueMicrotask(() => options.onCrash(error));
    })
    .finally(() => {
      for (const stop of unlisten) stop();
      missed(new LogUnavailableError(`the tail of ${topic} was stopped`));
    });

  return {
    caughtUp,
    async stop() {
      stopping = true;
      signal.wake();
      await ended;
    },
  };
}
