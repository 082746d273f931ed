import { CompressionTypes, type Kafka } from 'kafkajs';
import {
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  LogUnavailableError,
  type NewRecord,
  type Tail,
} from '../event-log.js';
import { type TopicName, topics } from '../topics.js';
import { createAppender } from './appender.js';
import { createKafka, type KafkaConnection } from './client.js';
import { createCluster, type KafkaCluster, partitionCount, withRecovery } from './cluster.js';
import { startConsumer } from './consumer.js';
import { ensureTopics } from './ensure-topics.js';
import {
  acceptPosition,
  type LogPosition,
  moveGroup,
  readCommits,
  readEdges,
  readPositions,
} from './log-positions.js';
import { createSender, type Sender } from './producer.js';
import { readKafkaSettings, type ShownSettings } from './read-settings.js';
import { startTail } from './tail.js';
import { type TopicWatch, watchTopics } from './topic-watch.js';

/** The event log of many machines: the {@link EventLog} port on Apache Kafka. */

const REQUEST_TIMEOUT_MS = 10_000;
const ATTEMPTS = 5;

export interface KafkaEventLogOptions extends KafkaConnection {
  /** Put before the names of topics and groups. */
  readonly topicPrefix: string;
  /** For topics that leave it open; counts when a topic is created and never after: a later wish is ignored with a warning. */
  readonly partitions: number;
  /** Copies of each topic; counts when it is created. */
  readonly replicationFactor: number;
  /** Longest wait of an append for others to travel with it, milliseconds. */
  readonly lingerMs: number;
  /** Longest time from an append to its acknowledgement, milliseconds; then it rejects, and may land nevertheless. */
  readonly ackTimeoutMs: number;
  /** Bytes of unacknowledged values above which further appends wait. */
  readonly maxPendingBytes: number;
}

export interface KafkaEventLog extends EventLog {
  /** Bytes of values that wait for the brokers, at most `maxPendingBytes` but for a single larger append. */
  pendingBytes(): number;
  /** Where the group stands in each partition that it has committed, held against what the log has. */
  positions(topic: TopicName, group: string): Promise<readonly LogPosition[]>;
  /**
   * Lets the group go on in a partition that is not the one that it read: behind the records that both have, or with
   * what was committed, whichever is earlier. Says so in a line at `warn`.
   * @throws LogUnavailableError where a member of the group is still there; RangeError where nothing is to be accepted
   */
  acceptPosition(topic: TopicName, group: string, partition: number): Promise<LogPosition>;
  /**
   * Commits these offsets, by partition, for a group without members.
   * @throws LogUnavailableError where a member of the group is still there
   */
  moveGroup(topic: TopicName, group: string, offsets: ReadonlyMap<number, number>): Promise<void>;
  /** @throws LogUnavailableError */
  settings(): Promise<ShownSettings>;
}

/**
 * Connects, and creates the topics that are missing.
 * @throws LogUnavailableError where no broker answers
 */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<KafkaEventLog> {
  const { topicPrefix, logger } = options;
  const kafka = createKafka(options, REQUEST_TIMEOUT_MS);
  const { sender, watch } = await openWriting(kafka, options);
  const appender = createAppender({ ...options, sender });
  const cluster = createCluster(kafka);
  const learn = createLearning(watch, cluster);
  const running = new Set<Consumer | Tail>();
  const opening = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;

  const nameOf = (topic: TopicName) => topicPrefix + topic;

  const groupOf = (topic: TopicName, group: string) => {
    return { cluster, topic: nameOf(topic), groupId: topicPrefix + group };
  };

  function checkOpen(): void {
    if (closing) throw new LogUnavailableError('the event log is closed');
  }

  function keep<T extends Consumer | Tail>(one: T): T {
    running.add(one);
    return {
      ...one,
      async stop() {
        await one.stop();
        running.delete(one);
      },
    };
  }

  function ask<T>(topic: TopicName, question: (partitions: number[]) => Promise<T>): Promise<T> {
    return withRecovery(cluster, ATTEMPTS, async () => {
      checkOpen();
      return question([...Array(await partitionCount(cluster, nameOf(topic))).keys()]);
    });
  }

  async function appendTo(topic: TopicName, records: readonly NewRecord[]) {
    const partitions = watch.partitions(topic);
    if (partitions === 0)
      throw new LogUnavailableError(`the brokers have no topic ${nameOf(topic)} any more`);
    return appender.append(nameOf(topic), partitions, records);
  }

  /** In this order: what runs may still append and commit. */
  async function close(): Promise<void> {
    await Promise.allSettled(opening);
    await watch.stop();
    await Promise.all([...running].map((one) => one.stop()));
    await appender.drain();
    await sender.close();
    await cluster.disconnect();
  }

  return {
    async append(topic, records, partitions = 0) {
      checkOpen();
      if (records.length === 0) return [];
      // Without a turn between where nothing is new: what waits is counted from the call on.
      if (partitions > watch.partitions(topic)) await learn(topic, partitions);
      return appendTo(topic, records);
    },
    async consume(consumeOptions) {
      checkOpen();
      const { topic, group } = consumeOptions;
      const onAssigned: ConsumeOptions['onAssigned'] = async (partition, committed, lost, partitions) => {
        await learn(topic, partitions);
        await consumeOptions.onAssigned?.(partition, committed, lost, partitions);
      };
      const names = { topicName: nameOf(topic), groupId: topicPrefix + group };
      return keep(startConsumer({ ...consumeOptions, onAssigned, ...names, kafka, logger }));
    },
    async tail(tailOptions) {
      checkOpen();
      const started = startTail({ ...tailOptions, kafka, topicName: nameOf(tailOptions.topic), logger });
      opening.add(started);
      return started.then(keep).finally(() => opening.delete(started));
    },
    committed(topic, group) {
      return ask(topic, (partitions) => readCommits(groupOf(topic, group), partitions));
    },
    offsets(topic) {
      return ask(topic, (partitions) => readEdges(cluster, nameOf(topic), partitions));
    },
    pendingBytes: appender.pendingBytes,
    ...upkeepOf({ kafka, topicPrefix, ask, groupOf, logger }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

type Upkeep = Pick<KafkaEventLog, 'positions' | 'acceptPosition' | 'moveGroup' | 'settings'>;

/** What operators and starts want of the brokers. */
function upkeepOf({
  kafka,
  topicPrefix,
  ask,
  groupOf,
  logger,
}: {
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  ask<T>(topic: TopicName, question: (partitions: number[]) => Promise<T>): Promise<T>;
  groupOf(topic: TopicName, group: string): { cluster: KafkaCluster; topic: string; groupId: string };
  readonly logger: KafkaEventLogOptions['logger'];
}): Upkeep {
  return {
    positions: (topic, group) => ask(topic, (partitions) => readPositions(groupOf(topic, group), partitions)),
    acceptPosition: (topic, group, partition) =>
      ask(topic, () => acceptPosition(groupOf(topic, group), partition, logger)),
    moveGroup: (topic, group, offsets) => ask(topic, () => moveGroup(groupOf(topic, group), offsets)),
    settings: () =>
      readKafkaSettings(kafka, topicPrefix).catch((cause: unknown) => {
        throw new LogUnavailableError('event log: the settings of the brokers can not be read', { cause });
      }),
  };
}

/** Takes over how many partitions a topic has from somebody who has seen it: what is known here may be older. */
function createLearning(watch: TopicWatch, cluster: KafkaCluster) {
  return async (topic: TopicName, partitions: number): Promise<void> => {
    const known = watch.partitions(topic);
    // Of a topic that is gone only a look tells that it is there again.
    if (known === 0 || known >= partitions) return;
    watch.learn(topic, partitions);
    await cluster.refreshMetadata().catch(() => {});
  };
}

/** What appends need: the topics, and a way to send. */
async function openWriting(
  kafka: Kafka,
  options: KafkaEventLogOptions,
): Promise<{ sender: Sender; watch: TopicWatch }> {
  const { ackTimeoutMs, logger } = options;
  const counts = await ensureTopics(kafka, options).catch((cause: unknown) => {
    throw new LogUnavailableError(`event log: no broker of ${options.brokers.join(', ')} answers`, { cause });
  });
  const kept = counts.get('requests.raw')!;
  if (kept !== options.partitions) {
    logger?.warn(
      { topic: 'requests.raw', kept, asked: options.partitions },
      'event log: the number of partitions is fixed when a log is created',
    );
  }
  const sender = createSender({
    kafka: createKafka(options, ackTimeoutMs),
    ackTimeoutMs,
    // A block of 2,000 requests shrinks from some 126 KB to 40 KB, on every replica's disk for seven days (docs/scaling.md).
    compression: CompressionTypes.GZIP,
  });
  const watch = watchTopics({
    counts,
    // What is kept for ever is an operator's to bring back: an empty control.events would shut every customer out.
    look: () => ensureTopics(kafka, options, (topic) => topics[topic].retentionMs !== null),
    onChange: sender.renew,
    logger,
  });
  return { sender, watch };
}
