import type { EventLog } from './event-log.js';
import type { TopicName } from './topics.js';

export interface PartitionLag {
  /** Records that the group has not committed. */
  readonly records: number;
  /** Everything before this offset is committed, or was deleted by age. */
  readonly from: number;
  /** The next offset to be given. */
  readonly end: number;
}

/**
 * The lag of each partition, whoever owns it: what nobody reads is what somebody has to hear of. Where the group never
 * committed, or what it committed has been deleted by age, it is all that is held.
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
