import type { EventLog } from '../../shared/event-log/event-log.js';
import { lagOf as recordsBehind } from '../../shared/event-log/lag.js';

/** Records of `requests.raw` that are not stored yet. */
export interface PartitionLag {
  readonly records: number;
  /** Whether this enricher has the partition. */
  readonly owned: boolean;
}

/** The lag of every partition, also of those that another enricher has or none. */
export async function lagOf(
  log: EventLog,
  group: string,
  owned: Iterable<number>,
): Promise<ReadonlyMap<number, PartitionLag>> {
  const own = new Set(owned);
  const lags = await recordsBehind(log, 'requests.raw', group);
  return new Map(
    [...lags].map(([partition, records]) => [partition, { records, owned: own.has(partition) }]),
  );
}
