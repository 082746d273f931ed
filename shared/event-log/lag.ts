import type { EventLog } from './event-log.js';
import type { TopicName } from './topics.js';

/**
 * Records of each partition that the group has not committed, whoever owns it: what nobody reads is what somebody has to hear of. Where the group never
 * committed, or what it committed has been deleted by age, it is all that is held.
 */
export async function lagOf(
  log: Pick<EventLog, 'offsets' | 'committed'>,
  topic: TopicName,
  group: string,
): Promise<ReadonlyMap<number, number>> {
  const [ends, commits] = await Promise.all([log.offsets(topic), log.committed(topic, group)]);
  return new Map(
    [...ends].map(([partition, { oldest, next }]) => {
      const from = Math.max(oldest, commits.get(partition)?.offset ?? oldest);
      return [partition, Math.max(0, next - from)];
    }),
  );
}
