import type { EventLog } from './event-log.js';
import type { TopicName } from './topics.js';

export interface PartitionLag {
  /** Records that the group has not committed. */
  readonly records: number;
  /** All records before this offset are committed or have expired. */
  readonly from: number;
  /** The next offset. */
  readonly end: number;
}

/**
 * The lag of each partition, even without an owner: unread partitions must be noticed. If the group never committed, or
 * its position has expired, the lag is all stored records.
 */
export async function lagOf(
  log: Pick<EventLog, 'offsets' | 'committed'>,
  topic: TopicName,
  group: string,
): Promise<ReadonlyMap<number, PartitionLag>> {
  const [ends, commits] = await Promise.all([log.offsets(topic), log.committed(topic, group)]);
  return new Map(
    [...ends].map(([partition, { oldest, next: end }]) => {
      const from = Math.max(oldest, commits.get(partition)?.offset ?? oldest);
      return [partition, { records: Math.max(0, end - from), from, end }];
    }),
  );
}
