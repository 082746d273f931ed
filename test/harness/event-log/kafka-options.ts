import { randomUUID } from 'node:crypto';
import type { KafkaEventLogOptions } from '../../../shared/event-log/kafka/kafka-event-log.js';

/**
 * For tests: a separate log on these brokers, with three partitions.
 * @param brokers host:port, comma-separated
 */
export function ownOptions(
  brokers: string,
  change: Partial<KafkaEventLogOptions> = {},
): KafkaEventLogOptions {
  return {
    brokers: brokers.split(','),
    clientId: 'test',
    topicPrefix: `${randomUUID().slice(0, 8)}.`,
    partitions: 3,
    replicationFactor: 1,
    lingerMs: 5,
    ackTimeoutMs: 10_000,
    maxPendingBytes: 64 * 1024 ** 2,
    ...change,
  };
}
