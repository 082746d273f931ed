import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * Wraps the client so that tokens differ after each repair of the store. The engine may remember the token of an insert whose
 * rows are lost, and would drop the repeated insert.
 */
export function withEpoch(clickhouse: ClickHouse, epoch: number): ClickHouse {
  if (epoch === 0) return clickhouse;
  return {
    ...clickhouse,
    insert: (options) =>
      clickhouse.insert({ ...options, deduplicationToken: `${options.deduplicationToken}/${epoch}` }),
  };
}
