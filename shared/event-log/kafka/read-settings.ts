import type { Admin, ConfigResourceTypes, Kafka } from 'kafkajs';
import { type TopicName, topics } from '../topics.js';
import {
  type KafkaSettings,
  OFFSETS_RETENTION,
  TOPIC_SETTINGS,
  type TopicSettings,
} from './broker-settings.js';
import { isNotLedYet, isNotPermitted } from './errors.js';

/** Protocol codes. The package's constants cannot be imported from an ES module. */
const TOPIC: ConfigResourceTypes.TOPIC = 2;
const BROKER: ConfigResourceTypes.BROKER = 4;

export interface ShownSettings extends KafkaSettings {
  /** The login cannot see some of the settings. */
  readonly isHidden: boolean;
}

/** The settings of topics and brokers, as far as the login can see them. @throws if the brokers do not answer */
export async function readKafkaSettings(kafka: Kafka, topicPrefix: string): Promise<ShownSettings> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const found = new Map<TopicName, TopicSettings>();
    let isHidden = false;
    const unlessHidden = async (work: () => Promise<void>) => {
      await work().catch((error: unknown) => {
        if (isNotPermitted(error)) isHidden = true;
        // A new topic, or one that an operator creates.
        else if (!isNotLedYet(error)) throw error;
      });
    };
    for (const name of Object.keys(topics) as TopicName[])
      await unlessHidden(async () => {
        found.set(name, await readTopic(admin, topicPrefix + name));
      });
    const brokers: ReadonlyMap<string, string>[] = [];
    const cluster = await admin.describeCluster();
    for (const { nodeId } of cluster.brokers)
      await unlessHidden(async () => {
        const names = [OFFSETS_RETENTION];
        brokers.push(await settingsOf(admin, BROKER, String(nodeId), names));
      });
    return { topics: found, brokers, isHidden };
  } finally {
    await admin.disconnect();
  }
}

async function readTopic(admin: Admin, topic: string): Promise<TopicSettings> {
  const metadata = await admin.fetchTopicMetadata({ topics: [topic] });
  const replicas = metadata.topics[0]?.partitions[0]?.replicas.length ?? 0;
  return { replicas, settings: await settingsOf(admin, TOPIC, topic, TOPIC_SETTINGS) };
}

async function settingsOf(
  admin: Admin,
  type: ConfigResourceTypes,
  name: string,
  configNames: string[],
): Promise<ReadonlyMap<string, string>> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type, name, configNames }],
  });
  const entries = resources.flatMap(({ configEntries }) => configEntries);
  return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
}
