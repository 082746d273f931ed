import type { ITopicConfig, Kafka } from 'kafkajs';
import { type TopicDefinition, type TopicName, topics } from '../topics.js';
import { causeNamed } from './errors.js';

/** Largest batch that the brokers take; room for a batch of 4 MiB and for a single large record. */
export const MAX_BATCH_BYTES = 8 * 1024 ** 2;

const DAY_MS = 86_400_000;

export interface TopicOptions {
  readonly topicPrefix: string;
  /** For topics that leave it open. */
  readonly partitions: number;
  readonly replicationFactor: number;
}

/** How each topic is created. */
export function topicConfigs({ topicPrefix, partitions, replicationFactor }: TopicOptions): ITopicConfig[] {
  return Object.values<TopicDefinition>(topics).map((definition) => ({
    topic: topicPrefix + definition.name,
    numPartitions: definition.partitions ?? partitions,
    replicationFactor,
    configEntries: [
      { name: 'cleanup.policy', value: definition.compacted ? 'compact' : 'delete' },
      { name: 'retention.ms', value: String(definition.retentionMs ?? -1) },
      ...segmentsOf(definition),
      // Age alone decides: the brokers' default may set a size, too.
      { name: 'retention.bytes', value: '-1' },
      // One copy may be away without the log refusing appends.
      { name: 'min.insync.replicas', value: String(Math.max(1, replicationFactor - 1)) },
      { name: 'max.message.bytes', value: String(MAX_BATCH_BYTES) },
      // The port's `appendedAt` is the log's time, and retention must not depend on a sender's clock.
      { name: 'message.timestamp.type', value: 'LogAppendTime' },
      { name: 'compression.type', value: 'producer' },
    ],
  }));
}

/** Brokers drop whole segments, and theirs last a week: two hours would be kept that long, and read by every tail. */
function segmentsOf({ retentionMs, compacted }: TopicDefinition) {
  // What was written over must not wait in the newest segment, or for others to make a run worth while.
  if (compacted)
    return [
      { name: 'segment.ms', value: String(DAY_MS / 2) },
      { name: 'max.compaction.lag.ms', value: String(DAY_MS / 2) },
      { name: 'min.cleanable.dirty.ratio', value: '0.01' },
    ];
  return retentionMs === null ? [] : [{ name: 'segment.ms', value: String(retentionMs / 8) }];
}

/**
 * Creates the topics that are missing; several processes may do so at once. Existing ones stay as they are.
 * @returns the number of partitions that each topic has
 */
export async function ensureTopics(kafka: Kafka, options: TopicOptions): Promise<Map<TopicName, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const configs = topicConfigs(options);
    const existing = new Set(await admin.listTopics());
    for (const config of configs.filter(({ topic }) => !existing.has(topic))) {
      await admin.createTopics({ topics: [config], waitForLeaders: true }).catch(passOverExisting);
    }
    const { topics: found } = await admin.fetchTopicMetadata({ topics: configs.map(({ topic }) => topic) });
    const counts = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
    const names = Object.keys(topics) as TopicName[];
    return new Map(names.map((name) => [name, counts.get(options.topicPrefix + name) ?? 0]));
  } finally {
    await admin.disconnect();
  }
}

function passOverExisting(error: unknown): void {
  const all = causeNamed<{ errors: { type?: string }[] }>(error, 'KafkaJSAggregateError')?.errors;
  if (!all?.every(({ type }) => type === 'TOPIC_ALREADY_EXISTS')) throw error;
}
