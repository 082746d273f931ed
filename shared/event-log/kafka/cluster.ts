import type { Broker, Cluster, Kafka } from 'kafkajs';
import { asError, causeNamed } from './errors.js';

/**
 * kafkajs's own connections to the brokers, with their protocol requests, without its consumer: for reading
 * the log and for membership in a group.
 *
 * Why not `consumer.run`: its commits are tried again under whatever generation the member has by then, so
 * that a commit begun before a rebalance can overwrite the next owner's, and after a stop they resolve
 * without having been sent; it tells of a revocation only when it has rejoined; and it fetches nothing for
 * any partition before the slowest call of the last fetch has ended (src/consumer/runner.js, fetcher.js of
 * 2.2.4; kafkajs #1720, #1527). Custom assigners are given the cluster (`PartitionAssigner` in its types):
 * that is the door used here. The package has no release since 2023; package.json and its lock hold it still.
 */

/** What the types of kafkajs leave out of a broker. */
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
    /** Filled for the leader alone. */
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

/** Bounds the time for which a moved partition or a new broker goes unnoticed. */
const METADATA_MAX_AGE_MS = 30_000;

/** Half of the time after which a partition that was added has to be read. */
const PARTITIONS_EVERY_MS = 20_000;

/** Connections of its own, made when first used; ends with `disconnect`. */
export function createCluster(kafka: Kafka): KafkaCluster {
  let found: Cluster | undefined;
  kafka.consumer({
    groupId: 'unused',
    metadataMaxAge: METADATA_MAX_AGE_MS,
    allowAutoTopicCreation: false,
    // The end of the log, not of its last transaction: we write none.
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

/** After a failed request: forgets a dead connection and asks anew who leads what. Never rejects. */
export async function recover(cluster: KafkaCluster, error: unknown): Promise<void> {
  const closed = causeNamed<{ host?: string; port?: number }>(error, 'KafkaJSConnectionClosedError');
  try {
    if (closed?.host !== undefined && closed.port !== undefined) {
      cluster.removeBroker({ host: closed.host, port: closed.port });
    }
    await cluster.connect();
    await cluster.refreshMetadata();
  } catch {
    // The caller tries again, and finds out.
  }
}

/** Loads what is known about the topic, and gives the number of its partitions. */
export async function partitionCount(cluster: KafkaCluster, topic: string): Promise<number> {
  await cluster.connect();
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const count = cluster.findTopicPartitionMetadata(topic).length;
  if (count === 0) throw new Error(`event log: the brokers know no topic ${topic}`);
  return count;
}

/**
 * Looks from time to time how many partitions the topic has.
 * @param known so many it had before
 * @param onChange told each time that it has others; never 0, for a topic that is gone is another's business
 * @returns ends it
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
  // What fails here fails everywhere, and is told there.
  const timer = setInterval(() => void look().catch(() => {}), PARTITIONS_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The oldest offset still held, or the next one to be given, of each of the partitions. */
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

/** Tries `work` until it succeeds, `attempts` times at most, asking who leads what in between. */
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
