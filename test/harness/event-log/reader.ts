import type { Commit, Consumer, EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';

/** A consumer for tests, which records its events. Tests can block its calls or make them fail. */
export interface Reader {
  readonly consumer: Promise<Consumer>;
  readonly records: readonly LogRecord[];
  readonly batches: readonly (readonly LogRecord[])[];
  readonly crashes: readonly Error[];
  /** The commit of the latest assignment of each partition. */
  readonly assigned: ReadonlyMap<number, Commit | null>;
  readonly owned: ReadonlySet<number>;
  /** The signal of the latest assignment of each partition. */
  readonly lost: ReadonlyMap<number, AbortSignal>;
  readonly calls: number;
  /** Calls that have not ended. */
  readonly running: number;
  /** Most concurrent calls for one partition. */
  readonly mostAtOnce: number;
  /** In the order of delivery; of one partition or of all. */
  offsets(partition?: number): number[];
  hold(): void;
  release(): void;
  failWith(error: Error): void;
  stop(): Promise<void>;
}

export function startReader(
  log: EventLog,
  options: { readonly topic: TopicName; readonly group: string; readonly maxBytes?: number },
): Reader {
  const records: LogRecord[] = [];
  const batches: (readonly LogRecord[])[] = [];
  const crashes: Error[] = [];
  const assigned = new Map<number, Commit | null>();
  const owned = new Set<number>();
  const lost = new Map<number, AbortSignal>();
  const running = new Map<number, number>();
  const counts = { calls: 0, mostAtOnce: 0 };
  let failure: Error | null = null;
  let held: Promise<void> | null = null;
  let release = () => {};

  const consumer = log.consume({
    ...options,
    async onAssigned(partition, committed, signal) {
      lost.set(partition, signal);
      assigned.set(partition, committed);
      owned.add(partition);
    },
    async onRevoked(partition) {
      owned.delete(partition);
    },
    async onRecords(partition, batch) {
      counts.calls++;
      const atOnce = (running.get(partition) ?? 0) + 1;
      running.set(partition, atOnce);
      counts.mostAtOnce = Math.max(counts.mostAtOnce, atOnce);
      await held;
      running.set(partition, running.get(partition)! - 1);
      if (failure) throw failure;
      batches.push(batch);
      records.push(...batch);
    },
    onCrash: (error) => void crashes.push(error),
  });
  consumer.catch(() => {});

  return {
    consumer,
    records,
    batches,
    crashes,
    assigned,
    owned,
    lost,
    get calls() {
      return counts.calls;
    },
    get running() {
      return [...running.values()].reduce((sum, one) => sum + one, 0);
    },
    get mostAtOnce() {
      return counts.mostAtOnce;
    },
    offsets: (partition) =>
      records
        .filter((record) => partition === undefined || record.partition === partition)
        .map(({ offset }) => offset),
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release() {
      held = null;
      release();
    },
    failWith(error) {
      failure = error;
    },
    stop: async () => (await consumer).stop(),
  };
}

/** The records that a tail delivers until it is caught up. `from` is that of the port. */
export async function readAll(
  log: EventLog,
  topic: TopicName,
  { from }: { readonly from?: number } = {},
): Promise<LogRecord[]> {
  const seen: LogRecord[] = [];
  const tail = await log.tail({
    topic,
    from,
    onRecords: (batch) => void seen.push(...batch),
    onCrash() {},
  });
  await tail.caughtUp;
  await tail.stop();
  return seen;
}
