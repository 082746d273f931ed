import type { Broker, Cluster, Kafka } from 'kafkajs';
import { asError, causeNamed } from './errors.js';

/**
 * kafkajs's connections to the brokers and its protocol requests, without its consumer: for reading the log and for
 * group membership.
 *
 * Reasons against `consumer.run` (src/consumer/runner.js, fetcher.js of 2.2.4; kafkajs #1720, #1527):
 * - It retries a commit under the member's latest generation. A commit begun before a rebalance can therefore overwrite
 * the next owner's.
 * - After a stop, commits resolve without having been sent.
 * - It reports a revocation only after it has rejoined.
 * - It fetches nothing for any partition until the slowest call of the last fetch has ended.
 *
 * Custom assigners receive the cluster (`PartitionAssigner` in its types), which is the access used here. The package
 * has had no release since 2023; package.json and its lock pin it.
 */

/** Broker methods that the types of kafkajs omit. */
export interface GroupBroker extends Omit<Broker, 'offsetFetch' | 'describeGroups'> {
  describeGroups(request: {
    groupIds: string[];
  }): Promise<{ groups: { state: string; members: { memberId: string; clientHost: string }[] }[] }>;
  joinGroup(request: {
    groupId: string;
    sessionTimeout: number;
    rebalanceTimeout: number;
    memberId: string;
    groupProtocols: { name: string; metadata: Buffer }[];
  }): Promise<{
    generationId: number;
    leaderId: string;
    memberId: string;
    /** Only the leader gets it. */
    members: { memberId: string; memberMetadata: Buffer }[];
  }>;
  syncGroup(request: {
    groupId: string;
    generationId: number;
    memberId: string;
    groupAssignment: { memberId: string; memberAssignment: Buffer }[];
  }): Promise<{ memberAssignment: Buffer }>;
  heartbeat(request: { groupId: string; groupGenerationId: number; memberId: string }): Promise<unknown>;
  leaveGroup(request: { groupId: string; memberId: string }): Promise<unknown>;
  offsetFetch(request: {
    groupId: string;
    topics: { topic: string; partitions: { partition: number }[] }[];
  }): Promise<{
    responses: {
      topic: string;
      partitions: { partition: number; offset: string; metadata: string | null }[];
    }[];
  }>;
}

export interface KafkaCluster extends Omit<Cluster, 'findGroupCoordinator'> {
  findGroupCoordinator(group: { groupId: string }): Promise<GroupBroker>;
}

/** Bounds the time until a moved partition or a new broker is noticed. */
const METADATA_MAX_AGE_MS = 30_000;

/** Half of the time after which an added partition must be read. */
const PARTITIONS_EVERY_MS = 20_000;

/** Has its own connections, made on first use; ends with `disconnect`. */
export function createCluster(kafka: Kafka): KafkaCluster {
  let found: Cluster | undefined;
  kafka.consumer({
    groupId: 'unused',
    metadataMaxAge: METADATA_MAX_AGE_MS,
    allowAutoTopicCreation: false,
    // Reads to the end of the log, not of its last transaction: we write none.
    readUncommitted: true,
    partitionAssigners: [
      ({ cluster }) => {
        found = cluster;
        return { name: 'unused', version: 0, protocol: unused, assign: unused };
      },
    ],
  });
  if (!found) throw new Error('kafkajs gave its assigner no cluster: another version than 2.2.4?');
  return found as unknown as KafkaCluster;
}

function unused(): never {
  throw new Error('this consumer is never run');
}

/** After a failed request: drops a dead connection and refreshes the metadata. Never rejects. */
export async function recover(cluster: KafkaCluster, error: unknown): Promise<void> {
  const closed = causeNamed<{ host?: string; port?: number }>(error, 'KafkaJSConnectionClosedError');
  try {
    if (closed?.host !== undefined && closed.port !== undefined) {
      cluster.removeBroker({ host: closed.host, port: closed.port });
    }
    await cluster.connect();
    await cluster.refreshMetadata();
  } catch {
    // The caller retries and gets the error.
  }
}

/** Loads the topic's metadata and returns the number of its partitions. */
export async function partitionCount(cluster: KafkaCluster, topic: string): Promise<number> {
  await cluster.connect();
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const count = cluster.findTopicPartitionMetadata(topic).length;
  if (count === 0) throw new Error(`event log: the brokers know no topic ${topic}`);
  return count;
}

/**
 * Polls the number of the topic's partitions.
 * @param known previous number
 * @param onChange called with each new number; never with 0, since a missing topic is handled elsewhere
 * @returns a function that stops the polling
 */
export function watchPartitions(
  cluster: KafkaCluster,
  topic: string,
  known: number,
  onChange: (count: number) => void,
): () => void {
  let last = known;
  const look = async () => {
    await cluster.refreshMetadata();
    const count = cluster.findTopicPartitionMetadata(topic).length;
    if (count === 0 || count === last) return;
    last = count;
    onChange(count);
  };
  // Such failures also occur, and are reported, elsewhere.
  const timer = setInterval(() => void look().catch(() => {}), PARTITIONS_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The oldest stored offset, or the next one, of each partition. */
export async function edgeOffsets(
  cluster: KafkaCluster,
  topic: string,
  partitions: readonly number[],
  edge: 'oldest' | 'next',
): Promise<Map<number, number>> {
  if (partitions.length === 0) return new Map();
  const wanted = partitions.map((partition) => ({ partition }));
  const [found] = await cluster.fetchTopicsOffset([
    { topic, partitions: wanted, fromBeginning: edge === 'oldest' },
  ]);
  return new Map((found?.partitions ?? []).map(({ partition, offset }) => [partition, Number(offset)]));
}

/** Retries `work` up to `attempts` times, and refreshes the metadata in between. */
export async function withRecovery<T>(
  cluster: KafkaCluster,
  attempts: number,
  work: () => Promise<T>,
): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1) throw asError(error);
      await new Promise((resolve) => setTimeout(resolve, 200));
      await recover(cluster, error);
    }
  }
}
