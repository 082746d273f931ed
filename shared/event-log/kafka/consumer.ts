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
 * A join waits for the slowest member; a stopping one does not wait for it. The join cannot be aborted: kafkajs closes
 * a connection only after all its responses. So it continues in the background, delivers nothing, and leaves. If the
 * process ends first, the session timeout removes the member.
 */
const JOIN_PATIENCE_MS = 3_000;

export interface KafkaConsumerOptions extends ConsumeOptions {
  readonly kafka: Kafka;
  /** Names at the brokers. */
  readonly topicName: string;
  readonly groupId: string;
  readonly logger?: Logger | undefined;
}

/**
 * A member of a group. In each generation it joins, reads the commits, calls `onAssigned` and delivers records until
 * the group rebalances. Then it waits for the running calls, calls `onRevoked` and joins again.
 */
export function startConsumer(options: KafkaConsumerOptions): Consumer {
  const { kafka, topicName: topic, groupId, logger, maxBytes = DEFAULT_MAX_BYTES } = options;
  const cluster = createCluster(kafka);
  const protocol = createGroupProtocol(cluster, groupId, topic);
  let state: 'active' | 'leaving' | 'crashed' = 'active';
  const status = () => state;
  let heartbeats: Heartbeats | null = null;
  /** Partitions of the last generation, which the next assignment should keep. */
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
    if (logger) warnLimited(logger, { err: error, group: groupId }, 'event log: the group cannot be reached');
    if (isFatal(error) || error instanceof LogDivergedError) crash(error);
    else await recover(cluster, error);
  }

  /** The first failure ends the consumer: nothing is committed after it. */
  function crash(error: unknown): void {
    if (state === 'crashed') return;
    state = 'crashed';
    assignment.abandon();
    heartbeats?.interrupt();
    // In a separate microtask, so that the process sees errors of the callback.
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
    // Only the leader can assign added partitions. When it rejoins, all others must rejoin.
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

  // Starts only when the caller has the consumer.
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
      // Without partitions it may be waiting for the other members to join.
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
    .catch((error: unknown) =>
      logger?.warn(
        { err: error },
        'event log: leaving the group failed; its session timeout removes this member',
      ),
    );
  await cluster.disconnect();
}
