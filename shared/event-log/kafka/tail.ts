import type { Kafka } from 'kafkajs';
import { warnLimited } from '../../logging/limit-warnings.js';
import type { Logger } from '../../logging/log.js';
import { LogUnavailableError, type Tail, type TailOptions } from '../event-log.js';
import { tailDiverged } from '../log-diverged.js';
import { type TopicDefinition, topics } from '../topics.js';
import { createCluster, edgeOffsets, partitionCount, watchPartitions, withRecovery } from './cluster.js';
import { createFetcher } from './fetcher.js';

const MAX_BYTES = 4 * 1024 ** 2;
const ATTEMPTS = 10;

export interface KafkaTailOptions extends TailOptions {
  readonly kafka: Kafka;
  /** Name at the brokers. */
  readonly topicName: string;
  readonly logger?: Logger | undefined;
}

/**
 * Follows all partitions of a topic without a group: joins and commits nothing.
 * @throws if the brokers do not return the topic's partitions and offsets
 */
export async function startTail(options: KafkaTailOptions): Promise<Tail> {
  const { kafka, topicName, from = 0, logger, onRecords, onCrash } = options;
  const definition: TopicDefinition = topics[options.topic];
  const cluster = createCluster(kafka);
  const { oldest, next } = await withRecovery(cluster, ATTEMPTS, async () => {
    const partitions = [...Array(await partitionCount(cluster, topicName)).keys()];
    return {
      oldest: await edgeOffsets(cluster, topicName, partitions, 'oldest'),
      next: await edgeOffsets(cluster, topicName, partitions, 'next'),
    };
  }).catch(async (error: unknown) => {
    await cluster.disconnect();
    throw error;
  });

  // Brokers refuse a fetch beyond the end. Reading starts at the end then, and records before `from` are skipped here.
  const start = new Map(
    [...oldest].map(([partition, first]) => [
      partition,
      Math.min(Math.max(from, first), next.get(partition) ?? first),
    ]),
  );
  const behind = new Map([...next].filter(([partition, end]) => (start.get(partition) ?? 0) < end));
  let catchUp = () => {};
  let giveUp = (_error: Error) => {};
  const caughtUp = new Promise<void>((resolve, reject) => {
    catchUp = resolve;
    giveUp = reject;
  });
  // Callers may ignore it.
  caughtUp.catch(() => {});
  if (behind.size === 0) catchUp();

  let previous: Promise<void> = Promise.resolve();
  let stopped = false;
  const fetcher = createFetcher({
    cluster,
    topic: topicName,
    compacted: definition.compacted === true,
    maxBytes: MAX_BYTES,
    onRecords(_partition, records) {
      // One call at a time over all partitions; none after a failure.
      previous = previous.then(async () => {
        const wanted = records.filter(({ offset }) => offset >= from);
        if (!stopped && wanted.length > 0) await onRecords(wanted);
      });
      return previous;
    },
    onProgress(partition, position) {
      if (position >= (behind.get(partition) ?? Number.POSITIVE_INFINITY)) behind.delete(partition);
      if (behind.size === 0) catchUp();
    },
    diverged: (partition, read, end) => tailDiverged({ topic: topicName, partition, read, end }),
    onFailure(error) {
      giveUp(error);
      unwatch();
      void cluster.disconnect();
      queueMicrotask(() => onCrash(error));
    },
    onTrouble: (error) =>
      logger && warnLimited(logger, { err: error, topic: topicName }, 'event log: fetch failed'),
  });
  for (const [partition, position] of start) fetcher.open(partition, position);

  let known = start.size;
  const unwatch = watchPartitions(cluster, topicName, known, (count) => {
    // If the look-up fails, 0 is correct: an added partition still has its first record.
    const added = [...Array(count).keys()].slice(known);
    known = Math.max(known, count);
    void edgeOffsets(cluster, topicName, added, 'oldest')
      .catch(() => new Map<number, number>())
      .then((first) => {
        if (!stopped) for (const partition of added) fetcher.open(partition, first.get(partition) ?? 0);
      });
  });

  return {
    caughtUp,
    async stop() {
      stopped = true;
      unwatch();
      await fetcher.stop();
      giveUp(new LogUnavailableError(`the tail of ${topicName} was stopped`));
      await cluster.disconnect();
    },
  };
}
