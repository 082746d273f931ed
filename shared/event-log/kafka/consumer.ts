import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { warnLimited } from '../../logging/limit-warnings.js';
import type { Logger } from '../../logging/log.js';
import { type ConsumeOptions, type Consumer, LogDivergedError } from '../event-log.js';
import { logDiverged } from '../log-diverged.js';
import { createAssignment } from './assignment.js';
import { createCluster, type KafkaCluster, recover, watchPartitions } from './cluster.js';
import { asError, isFatal, isFenced, isRebalance } from './errors.js';
import { createFetcher, type Fetcher } from './fetcher.js';
import { createGroupProtocol, type GroupAssignment, type GroupProtocol } from './group-protocol.js';
import { type Heartbeats, startHeartbeats } from './heartbeats.js';

const DEFAULT_MAX_BYTES = 4 * 1024 ** 2;
const REJOIN_DELAY_MS = 300;
/**
 * A join waits for the slowest member; one that stops does not wait for it. It can't be cut short: kafkajs ends a
 * connection only when all that was asked over it is answered. So it goes on alone, hands nothing out, and leaves; where
 * the process ends before, the member is out by its session.
 */
const JOIN_PATIENCE_MS = 3_000;

export interface KafkaConsumerOptions extends ConsumeOptions {
  readonly kafka: Kafka;
  /** As the brokers know them. */
  readonly topicName: string;
  readonly groupId: string;
  readonly logger?: Logger | undefined;
}

/**
 * A member of a group. A generation of the group goes like this: join; read the commits and tell
 * `onAssigned`; hand over records until the group wants to share out anew; let the running calls end; tell
 * `onRevoked`; join again.
 */
export function startConsumer(options: KafkaConsumerOptions): Consumer {
  const { kafka, topicName: topic, groupId, logger, maxBytes = DEFAULT_MAX_BYTES } = options;
  const cluster = createCluster(kafka);
  const protocol = createGroupProtocol(cluster, groupId, topic);
  let state: 'active' | 'leaving' | 'crashed' = 'active';
  const status = () => state;
  let heartbeats: Heartbeats | null = null;
  /** What the last generation gave, for the next assignment to leave alone. */
  let holding: readonly number[] = [];

  const fetcher = createFetcher({
    cluster,
    topic,
    maxBytes,
    onRecords: (partition, records) => options.onRecords(partition, records),
    diverged: (partition, read, end) => logDiverged({ topic, group: groupId, partition, read, end }),
    onFailure: crash,
    onTrouble: (error) => logger && warnLimited(logger, { err: error, topic }, 'event log: fetch failed'),
  });
  const shared = { cluster, protocol, fetcher, topic, handlers: options };
  const assignment = createAssignment({
    ...shared,
    group: groupId,
    status,
    onFenced: () => heartbeats?.interrupt(),
    crash,
    onTrouble: trouble,
  });

  async function trouble(error: unknown): Promise<void> {
    if (logger)
      warnLimited(logger, { err: error, group: groupId }, 'event log: the group can not be reached');
    if (isFatal(error) || error instanceof LogDivergedError) crash(error);
    else await recover(cluster, error);
  }

  /** The first failure ends the consumer: nothing is committed after it. */
  function crash(error: unknown): void {
    if (state === 'crashed') return;
    state = 'crashed';
    assignment.abandon();
    heartbeats?.interrupt();
    // On its own: what the callback throws is the process's to see.
    queueMicrotask(() => options.onCrash(asError(error)));
  }

  async function live(): Promise<void> {
    while (status() === 'active') {
      try {
        await runGeneration(await protocol.join(holding));
      } catch (error) {
        if (isRebalance(error)) continue;
        if (!isFenced(error)) await trouble(error);
        if (status() === 'active') await sleep(REJOIN_DELAY_MS);
      }
    }
  }

  async function runGeneration(grant: GroupAssignment): Promise<void> {
    holding = grant.partitions;
    const beating = startHeartbeats(protocol, grant, () => assignment.fence(grant), trouble);
    heartbeats = beating;
    // The leader alone can share out what was added; its joining again makes all others join.
    const unwatch = grant.leads ? watchPartitions(cluster, topic, grant.total, beating.interrupt) : () => {};
    try {
      if (status() === 'active') {
        await assignment.takeOver(grant);
        if (status() === 'active') await beating.disturbed;
      }
    } finally {
      unwatch();
      await assignment.release();
      await beating.stop();
    }
  }

  // Not before the caller holds the consumer.
  const begun = new Promise((resolve) => setImmediate(resolve));
  const ended = begun.then(live).then(() => leaveGroup(shared, logger));
  ended.catch(crash);

  return {
    commit: assignment.commit,
    async stop() {
      if (state === 'active') state = 'leaving';
      heartbeats?.interrupt();
      const patience = sleep(JOIN_PATIENCE_MS, false, { ref: false });
      const inTime = await Promise.race([ended.then(() => true), patience]);
      // Where nothing is owned it may be waiting for the others to join.
      if (!inTime && assignment.isEmpty()) return;
      await ended;
    },
  };
}

async function leaveGroup(
  { fetcher, protocol, cluster }: { fetcher: Fetcher; protocol: GroupProtocol; cluster: KafkaCluster },
  logger: Logger | undefined,
): Promise<void> {
  await fetcher.stop();
  await protocol
    .leave()
    .catch((error: unknown) => logger?.warn({ err: error }, 'event log: left the group by its time-out'));
  await cluster.disconnect();
}
