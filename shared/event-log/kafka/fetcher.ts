import type { LogRecord } from '../event-log.js';
import type { Anchor } from './anchor.js';
import { edgeOffsets, type KafkaCluster, recover } from './cluster.js';
import { asError, causeNamed, isFatal } from './errors.js';
import type { FetchedMessage } from './fetched-message.js';
import { createPartitionBuffer, type PartitionBuffer } from './partition-buffer.js';

/**
 * Reads partitions of one topic and delivers their records: sequentially within each partition, concurrently across
 * partitions. Each leading broker has at most one fetch in progress. A partition participates while its buffer has
 * space.
 */

/** How long a broker may delay an empty response. */
const IDLE_WAIT_MS = 500;
/** The same while a partition with a full buffer skips the fetch, so that it can soon participate again. */
const BUSY_WAIT_MS = 50;
/**
 * Size of one response before decompression, compressed some ten times. kafkajs inflates a whole response at once. The
 * inflated size is bounded: our batches inflate to 4 MiB, or to one record of 8 MiB (appender.ts). A buffer requests
 * less as soon as its partition's responses exceed its share.
 */
const FETCH_BYTES = 1024 ** 2;
/**
 * Bytes of values that wait for their handlers, over all partitions. Each has an equal share, so that a slow one blocks
 * no other.
 */
const AHEAD_BYTES = 32 * 1024 ** 2;
const BACK_OFF_MS = 300;
/** Kafka's code for reading without transactions. We write none. */
const READ_UNCOMMITTED = 0;

export interface FetcherOptions {
  readonly cluster: KafkaCluster;
  readonly topic: string;
  /** The topic stores only the last value of each key. */
  readonly compacted?: boolean;
  /** Most bytes of values in one call, but at least one record. */
  readonly maxBytes: number;
  onRecords(partition: number, records: readonly LogRecord[]): Promise<void>;
  /** All records before `position` have been delivered. */
  onProgress?(partition: number, position: number): void;
  /**
   * Creates the error for a log that differs from the one already read.
   * @param end null: the log continues beyond `read`, but with other records
   */
  diverged(partition: number, read: number, end: number | null): Error;
  /** A handler rejected, the log diverged, or the brokers fail permanently. The fetcher has stopped. */
  onFailure(error: Error): void;
  /** A failure that is retried. */
  onTrouble(error: Error): void;
}

export interface Fetcher {
  /** Starts reading the partition at `position`, after checking that `anchor` is still in the log. */
  open(partition: number, position: number, anchor?: Anchor | null): void;
  /** The newest fetched record of the partition. Null: none, or the partition is not open. */
  anchor(partition: number): Anchor | null;
  /** Stops delivery of the partition. Resolves with its {@link anchor} when the running call has ended. */
  close(partition: number): Promise<Anchor | null>;
  /** {@link close} for all partitions, permanently. */
  stop(): Promise<void>;
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { cluster, topic, compacted = false, maxBytes, onRecords, onProgress = () => {}, diverged } = options;
  const buffers = new Map<number, PartitionBuffer>();
  const busyLeaders = new Set<string>();
  let stopped = false;
  let backingOff = false;

  function fail(error: unknown): void {
    if (stopped) return;
    stopped = true;
    for (const buffer of buffers.values()) void buffer.close();
    options.onFailure(asError(error));
  }

  function mostAhead(): number {
    return Math.min(maxBytes, Math.ceil(AHEAD_BYTES / Math.max(1, buffers.size)));
  }

  /** Starts a fetch at every idle leader of a partition with space. */
  function pump(): void {
    if (stopped || backingOff) return;
    const roomy = [...buffers.values()]
      .filter((buffer) => buffer.hasRoom())
      .map(({ partition }) => partition);
    if (roomy.length === 0) return;
    const leaders = leadersOf(cluster, topic, roomy);
    const led = Object.values(leaders).flat();
    if (led.length < roomy.length) void backOff(new Error(`${topic}: a partition has no leader`));
    for (const [leader, partitions] of Object.entries(leaders)) {
      if (busyLeaders.has(leader)) continue;
      busyLeaders.add(leader);
      const asked = partitions.flatMap((partition) => buffers.get(partition) ?? []);
      const maxWaitMs = roomy.length < buffers.size ? BUSY_WAIT_MS : IDLE_WAIT_MS;
      void fetchFrom(cluster, topic, leader, asked, maxWaitMs)
        .catch(recoverFrom)
        .finally(() => {
          busyLeaders.delete(leader);
          pump();
        });
    }
  }

  async function recoverFrom(error: unknown): Promise<void> {
    if (stopped) return;
    const outside = causeNamed<{ partition: number }>(error, 'KafkaJSOffsetOutOfRange');
    if (isFatal(error)) fail(error);
    else if (outside) await findPlace(outside.partition).catch(backOff);
    else await backOff(error);
  }

  /** The records there have expired, or the log has lost its tail and may have grown again. */
  async function findPlace(partition: number): Promise<void> {
    const oldest = (await edgeOffsets(cluster, topic, [partition], 'oldest')).get(partition);
    const end = (await edgeOffsets(cluster, topic, [partition], 'next')).get(partition);
    const buffer = buffers.get(partition);
    if (!buffer || oldest === undefined || end === undefined) return;
    const position = buffer.position();
    if (position > end) return fail(diverged(partition, position, end));
    if (position >= oldest) return buffer.recheck();
    options.onTrouble(new Error(`${topic}/${partition}: offset ${position} is gone, resuming at ${oldest}`));
    buffer.moveTo(oldest);
  }

  async function backOff(error: unknown): Promise<void> {
    if (backingOff) return;
    backingOff = true;
    options.onTrouble(asError(error));
    await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
    if (!stopped) await recover(cluster, error);
    backingOff = false;
    pump();
  }

  return {
    open(partition, position, anchor = null) {
      if (stopped) return;
      const shared = { compacted, maxBytes, onRecords, onProgress, onRoom: pump, onFailure: fail, mostAhead };
      const onDiverged = (_: number, { offset }: Anchor) => fail(diverged(partition, offset + 1, null));
      buffers.set(partition, createPartitionBuffer({ partition, position, anchor, onDiverged, ...shared }));
      pump();
    },
    anchor: (partition) => buffers.get(partition)?.anchor() ?? null,
    async close(partition) {
      const buffer = buffers.get(partition);
      await buffer?.close();
      buffers.delete(partition);
      return buffer?.anchor() ?? null;
    },
    async stop() {
      stopped = true;
      await Promise.all([...buffers.values()].map((buffer) => buffer.close()));
    },
  };
}

function leadersOf(cluster: KafkaCluster, topic: string, partitions: number[]): Record<string, number[]> {
  try {
    return cluster.findLeaderForPartitions(topic, partitions);
  } catch {
    // The topic is unknown, or a partition currently has no leader.
    return {};
  }
}

async function fetchFrom(
  cluster: KafkaCluster,
  topic: string,
  leader: string,
  buffers: readonly PartitionBuffer[],
  maxWaitTime: number,
): Promise<void> {
  await cluster.refreshMetadataIfNecessary();
  const broker = await cluster.findBroker({ nodeId: leader });
  const partitions = buffers.map((buffer) => ({
    partition: buffer.partition,
    fetchOffset: String(buffer.position()),
    maxBytes: buffer.wish(),
  }));
  const { responses } = (await broker.fetch({
    isolationLevel: READ_UNCOMMITTED,
    maxWaitTime,
    minBytes: 1,
    maxBytes: FETCH_BYTES,
    topics: [{ topic, partitions }],
  })) as { responses: { partitions: { partition: number; messages: FetchedMessage[] }[] }[] };
  for (const { partition, messages } of responses.flatMap((one) => one.partitions)) {
    // Exactly these buffers: the partition may have been closed and reopened meanwhile.
    buffers.find((buffer) => buffer.partition === partition)?.take(messages);
  }
}
