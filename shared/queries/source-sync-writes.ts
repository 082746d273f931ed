import type { ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';
import type { ConnectionKind } from '../control/model.js';
import { NEVER, type SourceSync } from './source-syncs.js';

/** It takes the place of the one before. @throws as ClickHouseWriter.insert */
export async function insertSourceSync(
  writer: ClickHouseWriter,
  kind: ConnectionKind,
  sync: SourceSync,
): Promise<void> {
  const { websiteId } = sync;
  const rows = [
    {
      website_id: websiteId,
      source_id: sync.sourceId,
      kind,
      attempted_at: dateTime64(sync.attemptedAt),
      last_sync_at: dateTime64(sync.lastSyncAt ?? 0),
      data_through: sync.dataThrough ?? NEVER,
      counts: sync.counts,
      problem: sync.problem ?? '',
      marks: JSON.stringify(sync.marks),
    },
  ];
  const deduplicationToken = contentToken('source_syncs', rows);
  await insertRows(writer, { table: 'source_syncs', rows, deduplicationToken, websiteId });
}
