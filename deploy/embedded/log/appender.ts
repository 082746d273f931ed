import { setImmediate as nextTurn } from 'node:timers/promises';
import { LogUnavailableError, type NewRecord, type Position } from '../../../shared/event-log/event-log.js';
import { partitionOf } from '../../../shared/event-log/partition-of.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import { checkRecord } from './record.js';
import type { Placement, Store } from './store.js';

/**
 * Group commit: appends that arrive during a transaction share the next one. Only one transaction runs at a time, so
 * memory is bounded. Offsets are assigned when the transaction is formed, so a failed one leaves no gap. An append is
 * never split.
 */

/** Above this size, a transaction gets no further append, since its dirty pages are in memory until it ends. */
const MAX_TRANSACTION_BYTES = 8 * 1024 ** 2;
const MAX_TRANSACTION_RECORDS = 10_000;
/**
 * After this time a transaction counts as stalled, and its callers get an error. (lmdb-js reports a failed commit, but never
 * a commit that could not begin.)
 */
const STALL_MS = 30_000;

interface Waiting {
  readonly topic: TopicName;
  readonly records: readonly NewRecord[];
  resolve(positions: Position[]): void;
  reject(error: unknown): void;
}

export interface Appender {
  /**
   * The caller must not change the values until the promise resolves.
   * @throws LogUnavailableError
   */
  append(topic: TopicName, records: readonly NewRecord[]): Promise<readonly Position[]>;
  /** Resolves when no append is waiting. */
  drain(): Promise<void>;
}

export interface AppenderOptions {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  now(): number;
  onAppended(topic: TopicName, partition: number): void;
}

export function createAppender({ store, now, onAppended }: AppenderOptions): Appender {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let lastTime = 0;
  let stalled = false;

  async function run(): Promise<void> {
    await nextTurn();
    while (waiting.length > 0) {
      const batch = takeBatch();
      // Retention finds the age limit by bisection, so times must not decrease when the clock goes back.
      lastTime = Math.max(lastTime, now());
      const stall = setTimeout(() => giveUp(batch), STALL_MS);
      await writeBatch(batch, lastTime);
      clearTimeout(stall);
      stalled = false;
    }
    running = null;
  }

  /** The running transaction may still become durable; waiting appends will not be written. */
  function giveUp(batch: readonly Waiting[]): void {
    stalled = true;
    for (const append of [...batch, ...waiting]) append.reject(stallError());
    waiting = [];
  }

  function takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    let taken = 0;
    while (taken < waiting.length) {
      const { records } = waiting[taken]!;
      count += records.length;
      for (const record of records) bytes += record.value.length;
      if (taken > 0 && (bytes > MAX_TRANSACTION_BYTES || count > MAX_TRANSACTION_RECORDS)) break;
      taken++;
    }
    const batch = waiting.slice(0, taken);
    waiting = waiting.slice(taken);
    return batch;
  }

  async function writeBatch(batch: readonly Waiting[], appendedAt: number): Promise<void> {
    try {
      const placed = place(store, batch);
      await store.write(placed.flat(), appendedAt);
      const touched = new Map<string, Placement>();
      batch.forEach((append, at) => {
        append.resolve(placed[at]!.map(({ partition, offset }) => ({ partition, offset })));
        for (const placement of placed[at]!) {
          touched.set(`${placement.topic}/${placement.partition}`, placement);
        }
      });
      for (const { topic, partition } of touched.values()) onAppended(topic, partition);
    } catch (error) {
      const unavailable =
        error instanceof LogUnavailableError
          ? error
          : new LogUnavailableError('could not write to the event log', { cause: error });
      for (const append of batch) append.reject(unavailable);
    }
  }

  return {
    async append(topic, records) {
      if (records.length === 0) return [];
      for (const record of records) checkRecord(record);
      if (stalled) throw stallError();
      return new Promise((resolve, reject) => {
        waiting.push({ topic, records, resolve, reject });
        running ??= run();
      });
    },
    async drain() {
      while (running) await running;
    },
  };
}

function stallError(): LogUnavailableError {
  return new LogUnavailableError('the event log has waited too long for its disk');
}

/** Assigns a partition and an offset to each record. @returns placements by append. */
function place(store: Store, batch: readonly Waiting[]): Placement[][] {
  const next = new Map<string, number>();
  return batch.map(({ topic, records }) =>
    records.map((record) => {
      const partition = partitionOf(record.key, store.partitions(topic));
      const slot = `${topic}/${partition}`;
      const offset = next.get(slot) ?? store.extent(topic, partition).next;
      next.set(slot, offset + 1);
      return { topic, partition, offset, record };
    }),
  );
}
