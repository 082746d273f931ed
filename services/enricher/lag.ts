import type { EventLog } from '../../shared/event-log/event-log.js';

/** Records of `requests.raw` that are not stored yet. */
export interface PartitionLag {
  readonly records: number;
  /** Whether this enricher has the partition. */
  readonly owned: boolean;
}

/**
 * The lag of every partition, also of those that another enricher has or none: what nobody reads is what somebody has
 * to hear of. Where the group never committed, or what it committed has been deleted by age, it is all that is held.
 */
export async function lagOf(
  log: EventLog,
  group: string,
  owned: Iterable<number>,
): Promise<ReadonlyMap<number, PartitionLag>> {
  const own = new Set(owned);
  const [ends, commits] = await Promise.all([
    log.offsets('requests.raw'),
    log.committed('requests.raw', group),
  ]);
  return new Map(
    [...ends].map(([partition, { oldest, next }]) => {
      const from = Math.max(oldest, commits.get(partition)?.offset ?? oldest);
      return [partition, { records: Math.max(0, next - from), owned: own.has(partition) }];
    }),
  );
}
