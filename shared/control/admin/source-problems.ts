import type { ClickHouseReader } from '../../clickhouse/client.js';
import { readSourceSyncs } from '../../queries/source-syncs.js';
import type { SourceProblems } from './admin-app-connections.js';

/** What `connect list` tells beside each connection. */
export function sourceProblemsIn(reader: ClickHouseReader): SourceProblems {
  return async () =>
    new Map(
      (await readSourceSyncs(reader)).map(({ sourceId, lastSyncAt, problem }) => [
        sourceId,
        { lastSyncAt: lastSyncAt === null ? null : new Date(lastSyncAt).toISOString(), problem },
      ]),
    );
}
