import type { CompressionTypes, Kafka, Message, Producer, RecordMetadata } from 'kafkajs';
import { within } from '../../pacing/in-time.js';

/**
 * Sends one batch at a time through kafkajs's idempotent producer.
 *
 * One at a time: kafkajs assigns a failed batch's sequence numbers to the next batch that gets the broker's lock. A new
 * producer after every failure: kafkajs reuses the numbers. If the failed batch was stored after all, the brokers would
 * take the next one of equal length for its repetition. They would acknowledge it without storing it
 * (src/producer/sendMessages.js of 2.2.4).
 */

/** Messages with their partitions, by topic. */
export type Batch = ReadonlyMap<string, readonly (Message & { partition: number })[]>;

export interface Sender {
  /**
   * Resolves when all in-sync replicas have the messages, with the offset of each partition's first message, by
   * `topic/partition`. Rejects after `ackTimeoutMs` at the latest; the messages may still be stored then.
   */
  send(batch: Batch): Promise<ReadonlyMap<string, number>>;
  /** Sends through a new connection from now on, since a producer caches metadata for half a minute. */
  renew(): void;
  /** Waits for abandoned sends to end. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly kafka: Kafka;
  readonly ackTimeoutMs: number;
  readonly compression: CompressionTypes;
}

const RETRY_INTERVAL_MS = 500;

export function createSender({ kafka, ackTimeoutMs, compression }: SenderOptions): Sender {
  let current: Producer | null = null;
  let lastSend: Promise<unknown> = Promise.resolve();
  const retiring = new Set<Promise<unknown>>();

  function createProducer(): Producer {
    return kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      metadataMaxAge: 30_000,
      createPartitioner: () => (args: { message: Message }) => args.message.partition!,
      // Bounded, so that an abandoned send ends soon.
      retry: {
        initialRetryTime: 100,
        maxRetryTime: RETRY_INTERVAL_MS,
        retries: Math.ceil(ackTimeoutMs / RETRY_INTERVAL_MS),
      },
    });
  }

  async function sendThrough(producer: Producer, fresh: boolean, batch: Batch): Promise<RecordMetadata[]> {
    if (fresh) await producer.connect();
    return producer.sendBatch({
      acks: -1,
      timeout: ackTimeoutMs,
      compression,
      topicMessages: [...batch].map(([topic, messages]) => ({ topic, messages: [...messages] })),
    });
  }

  async function send(batch: Batch): Promise<ReadonlyMap<string, number>> {
    const fresh = current === null;
    const producer = current ?? createProducer();
    current = producer;
    const sending = sendThrough(producer, fresh, batch);
    lastSend = sending;
    try {
      return baseOffsets(
        batch,
        await within(sending, ackTimeoutMs, () => new Error(`no acknowledgement within ${ackTimeoutMs} ms`)),
      );
    } catch (error) {
      if (current === producer) {
        current = null;
        retire(producer, sending);
      }
      throw error;
    }
  }

  /** Its retries may reconnect it, so it is disconnected after they end. */
  function retire(producer: Producer, sending: Promise<unknown>): void {
    const gone = sending
      .catch(() => {})
      .then(() => producer.disconnect())
      .catch(() => {})
      .finally(() => retiring.delete(gone));
    retiring.add(gone);
  }

  return {
    send,
    renew() {
      if (current) retire(current, lastSend);
      current = null;
    },
    async close() {
      await current?.disconnect();
      await Promise.all(retiring);
    },
  };
}

/**
 * Every partition must be acknowledged. If a leader moves between two attempts to a broker that acknowledged the first,
 * kafkajs omits the partition from the second and reports success.
 */
function baseOffsets(batch: Batch, answers: readonly RecordMetadata[]): Map<string, number> {
  const found = new Map(
    answers
      .filter(({ errorCode }) => errorCode === 0)
      .map(({ topicName, partition, baseOffset }) => [`${topicName}/${partition}`, Number(baseOffset)]),
  );
  for (const [topic, messages] of batch) {
    for (const { partition } of messages) {
      if (!((found.get(`${topic}/${partition}`) ?? -1) >= 0)) {
        throw new Error(`${topic}/${partition} was not acknowledged`);
      }
    }
  }
  return found;
}
