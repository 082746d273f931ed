import { setTimeout as sleep } from 'node:timers/promises';
import type { ITopicConfig, Kafka } from 'kafkajs';
import { DAY_MS } from '../../durations.js';
import { type TopicDefinition, type TopicName, topics } from '../topics.js';
import { causeNamed, isNotLedYet } from './errors.js';

/** Largest batch that the brokers accept: enough for a batch of 4 MiB and for a single large record. */
export const MAX_BATCH_BYTES = 8 * 1024 ** 2;

const LED_ATTEMPTS = 50;
const LED_RETRY_MS = 200;

export interface TopicOptions {
  readonly topicPrefix: string;
  /** For topics without a fixed number. */
  readonly partitions: number;
  readonly replicationFactor: number;
}

/** Creation settings of each topic. */
export function topicConfigs({ topicPrefix, partitions, replicationFactor }: TopicOptions): ITopicConfig[] {
  return Object.values<TopicDefinition>(topics).map((definition) => ({
    topic: topicPrefix + definition.name,
    numPartitions: definition.partitions ?? partitions,
    replicationFactor,
    configEntries: [
      { name: 'cleanup.policy', value: definition.compacted ? 'compact' : 'delete' },
      { name: 'retention.ms', value: String(definition.retentionMs ?? -1) },
      ...segmentsOf(definition),
      // Retention depends only on age: the brokers' default may also set a size.
      { name: 'retention.bytes', value: '-1' },
      // One copy may be unavailable without failed appends.
      { name: 'min.insync.replicas', value: String(Math.max(1, replicationFactor - 1)) },
      { name: 'max.message.bytes', value: String(MAX_BATCH_BYTES) },
      // `appendedAt` of the port is the log's time, and retention must not depend on a sender's clock.
      { name: 'message.timestamp.type', value: 'LogAppendTime' },
      { name: 'compression.type', value: 'producer' },
    ],
  }));
}

/**
 * Brokers delete whole segments, and by default these last a week: records kept for two hours would stay that long, and
 * every tail would read them.
 */
function segmentsOf({ retentionMs, compacted }: TopicDefinition) {
  // Overwritten values must not wait in the newest segment, or for a minimum amount of them.
  if (compacted)
    return [
      { name: 'segment.ms', value: String(DAY_MS / 2) },
      { name: 'max.compaction.lag.ms', value: String(DAY_MS / 2) },
      { name: 'min.cleanable.dirty.ratio', value: '0.01' },
    ];
  return retentionMs === null ? [] : [{ name: 'segment.ms', value: String(retentionMs / 8) }];
}

/**
 * Creates missing topics; several processes may do so concurrently. Existing ones are unchanged.
 * @param among topics that may be created
 * @returns the number of partitions of each topic; 0: it does not exist
 */
export async function ensureTopics(
  kafka: Kafka,
  options: TopicOptions,
  among: (topic: TopicName) => boolean = () => true,
): Promise<Map<TopicName, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const names = Object.keys(topics) as TopicName[];
    const wanted = new Set(names.filter(among).map((name) => options.topicPrefix + name));
    for (const config of topicConfigs(options)) {
      if (existing.has(config.topic) || !wanted.has(config.topic)) continue;
      await admin.createTopics({ topics: [config], waitForLeaders: false }).catch(passOverExisting);
      existing.add(config.topic);
    }
    const there = names.map((name) => options.topicPrefix + name).filter((topic) => existing.has(topic));
    const found = await whenLed(() => admin.fetchTopicMetadata({ topics: there }));
    const counts = new Map(found.topics.map(({ name, partitions }) => [name, partitions.length]));
    return new Map(names.map((name) => [name, counts.get(options.topicPrefix + name) ?? 0]));
  } finally {
    await admin.disconnect();
  }
}

/** Retries while a new topic is unknown to a broker or has no leader. */
async function whenLed<T>(ask: () => Promise<T>): Promise<T> {
  for (let left = LED_ATTEMPTS; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left <= 1 || !isNotLedYet(error)) throw error;
      await sleep(LED_RETRY_MS);
    }
  }
}

function passOverExisting(error: unknown): void {
  const all = causeNamed<{ errors: { type?: string }[] }>(error, 'KafkaJSAggregateError')?.errors;
  if (!all?.every(({ type }) => type === 'TOPIC_ALREADY_EXISTS')) throw error;
}
