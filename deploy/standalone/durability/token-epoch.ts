import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * The client with tokens of its own for each repair of the store: what the engine remembers of an insert may have outlived
 * the rows of it, and must not drop them when they come again.
 */
export function withEpoch(clickhouse: ClickHouse, epoch: number): ClickHouse {
  if (epoch === 0) return clickhouse;
  return {
    ...clickhouse,
    insert: (options) =>
      clickhouse.insert({ ...options, deduplicationToken: `${options.deduplicationToken}/${epoch}` }),
  };
}
