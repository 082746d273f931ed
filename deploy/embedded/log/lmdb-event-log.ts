import { type EventLog, LogUnavailableError, type Tail } from '../../../shared/event-log/event-log.js';
import type { TopicName } from '../../../shared/event-log/topics.js';
import type { Logger } from '../../../shared/logging/log.js';
import { createAppender } from './appender.js';
import { createGroup, type Group } from './group.js';
import { createListeners } from './listeners.js';
import { createRetention, intakeTopics } from './retention.js';
import { rewriteRecords } from './rewrite-records.js';
import { openStore, type Store } from './store.js';
import { startTail } from './tail.js';

/** The event log of one machine: the {@link EventLog} port on LMDB, in one directory, owned by one process. */

const RETENTION_INTERVAL_MS = 60_000;

export interface LmdbEventLogOptions {
  /** Created if missing. Only one process can use it at a time. */
  readonly directory: string;
  /** For topics without a fixed number. It applies only at the creation of the log; later changes are ignored with a warning. */
  readonly partitions: number;
  /**
   * Above this size of the stored records, the oldest consumed records are dropped early. If all records are unread,
   * `requests.raw` accepts no more. Running appends may exceed the limit.
   */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly logger?: Logger | undefined;
  /** Runs `work` periodically until the returned function is called. Default: once a minute. */
  readonly schedule?: ((work: () => void) => () => void) | undefined;
}

export interface LmdbEventLog extends EventLog {
  /** Drops records by age and size. This also runs on the schedule and at the size limit. */
  enforceRetention(): Promise<void>;
  /** Bytes of the stored records. */
  size(): number;
}

/**
 * Opens or creates the log. It takes over a directory from an ended process.
 * @throws EventLogInUseError (one line) if another running process uses the directory
 */
export async function openLmdbEventLog(options: LmdbEventLogOptions): Promise<LmdbEventLog> {
  const { maxBytes, now, logger, schedule = everyMinute } = options;
  const store = openStore({
    ...options,
    onPartitionsDiffer: (topic, kept, asked) =>
      logger?.warn(
        { topic, kept, asked },
        'event log: the number of partitions is fixed when a log is created',
      ),
  });
  const listeners = createListeners();
  const appender = createAppender({ store, now, onAppended: listeners.notify });
  const retention = createRetention({ store, maxBytes, now, logger });
  const groups = new Map<string, Group>();
  const tails = new Set<Tail>();
  let closing: Promise<void> | null = null;

  const unschedule = schedule(() => {
    retention
      .enforce()
      .catch((error: unknown) => logger?.error({ err: error }, 'event log: retention failed'));
  });

  function checkOpen(): void {
    if (closing) throw new LogUnavailableError('the event log is closed');
  }

  async function checkRoom(topic: TopicName): Promise<void> {
    if (!intakeTopics.includes(topic) || store.size() < maxBytes) return;
    await retention.enforce();
    if (store.size() >= maxBytes) throw new LogUnavailableError('the event log is full of unread records');
  }

  function groupOf(topic: TopicName, name: string): Group {
    const key = `${topic}/${name}`;
    const group = groups.get(key) ?? createGroup(store, listeners, topic);
    groups.set(key, group);
    return group;
  }

  /** The order lets running calls append and commit, and releases the directory last. */
  async function close(): Promise<void> {
    unschedule();
    await Promise.all([...groups.values()].map((group) => group.close()));
    await Promise.all([...tails].map((tail) => tail.stop()));
    await appender.drain();
    await retention.stop();
    await store.close();
  }

  return {
    async append(topic, records) {
      checkOpen();
      await checkRoom(topic);
      checkOpen();
      return appender.append(topic, records);
    },
    async consume(consumeOptions) {
      checkOpen();
      await store.register(consumeOptions.topic, consumeOptions.group);
      checkOpen();
      return groupOf(consumeOptions.topic, consumeOptions.group).join(consumeOptions);
    },
    async tail(tailOptions) {
      checkOpen();
      const tail = startTail(store, listeners, tailOptions);
      tails.add(tail);
      return {
        caughtUp: tail.caughtUp,
        async stop() {
          await tail.stop();
          tails.delete(tail);
        },
      };
    },
    async committed(topic, group) {
      checkOpen();
      return byPartition(store, topic, (partition) => store.committed(topic, group, partition));
    },
    async offsets(topic) {
      checkOpen();
      return byPartition(store, topic, (partition) => store.extent(topic, partition));
    },
    async rewrite(topic, change) {
      checkOpen();
      return rewriteRecords(store, topic, change);
    },
    async enforceRetention() {
      checkOpen();
      await retention.enforce();
    },
    size: store.size,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function byPartition<T>(store: Store, topic: TopicName, lookUp: (partition: number) => T | null) {
  const found = new Map<number, T>();
  for (let partition = 0; partition < store.partitions(topic); partition++) {
    const value = lookUp(partition);
    if (value !== null) found.set(partition, value);
  }
  return found;
}

function everyMinute(work: () => void): () => void {
  const timer = setInterval(work, RETENTION_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
