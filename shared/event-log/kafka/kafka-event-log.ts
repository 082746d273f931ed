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

/** The distributed event log: the {@link EventLog} port on Apache Kafka. */

const REQUEST_TIMEOUT_MS = 10_000;
const ATTEMPTS = 5;

export interface KafkaEventLogOptions extends KafkaConnection {
  /** Prefix of the names of topics and groups. */
  readonly topicPrefix: string;
  /** For topics without a fixed number. Used only when a topic is created: a later change is ignored with a warning. */
  readonly partitions: number;
  /** Replicas of each topic; used when it is created. */
  readonly replicationFactor: number;
  /** Longest wait of an append for further ones in its batch, milliseconds. */
  readonly lingerMs: number;
  /** Longest time from an append to its acknowledgement, milliseconds. It then rejects, but may still be stored. */
  readonly ackTimeoutMs: number;
  /** Bytes of unacknowledged values above which further appends wait. */
  readonly maxPendingBytes: number;
}

export interface KafkaEventLog extends EventLog {
  /** Bytes of values that wait for the brokers: at most `maxPendingBytes`, or a single larger append. */
  pendingBytes(): number;
  /** The group's position in each partition with a commit, compared with the log. */
  positions(topic: TopicName, group: string): Promise<readonly LogPosition[]>;
  /**
   * Lets the group continue in a partition that differs from the one it read: after the last common record or at the
   * commit, if that is earlier. Logs this at `warn`.
   * @throws LogUnavailableError if the group still has a member; RangeError if there is nothing to accept
   */
  acceptPosition(topic: TopicName, group: string, partition: number): Promise<LogPosition>;
  /**
   * Commits these offsets, by partition, for a group without members.
   * @throws LogUnavailableError if the group still has a member
   */
  moveGroup(topic: TopicName, group: string, offsets: ReadonlyMap<number, number>): Promise<void>;
  /** @throws LogUnavailableError */
  settings(): Promise<ShownSettings>;
}

/**
 * Connects, and creates missing topics.
 * @throws LogUnavailableError if no broker answers
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

  /** In this order, since running consumers may still append and commit. */
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
      // Without yielding if nothing is new, so that pending bytes count from the call on.
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
        throw new LogUnavailableError('event log: the settings of the brokers cannot be read', { cause });
      }),
  };
}

/** Adopts a topic's number of partitions from another source, if ours may be outdated. */
function createLearning(watch: TopicWatch, cluster: KafkaCluster) {
  return async (topic: TopicName, partitions: number): Promise<void> => {
    const known = watch.partitions(topic);
    // Only a check of the brokers can show that a lost topic exists again.
    if (known === 0 || known >= partitions) return;
    watch.learn(topic, partitions);
    await cluster.refreshMetadata().catch(() => {});
  };
}

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
    // A block of 2,000 requests shrinks from some 126 KB to 40 KB, on every replica's disk for seven days
    // (docs/install.md).
    compression: CompressionTypes.GZIP,
  });
  const watch = watchTopics({
    counts,
    // Only an operator recreates topics that are kept for ever: an empty control.events would lock every customer out.
    look: () => ensureTopics(kafka, options, (topic) => topics[topic].retentionMs !== null),
    onChange: sender.renew,
    logger,
  });
  return { sender, watch };
}
