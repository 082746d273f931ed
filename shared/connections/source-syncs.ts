import { z } from 'zod';
import type { ConnectionKind } from '../control/domain/model.js';
import type { ClickHouseReader, ClickHouseWriter } from '../store/client.js';
import { contentToken } from '../store/content-token.js';
import { insertRows } from '../store/insert-rows.js';
import { instant, json, orNone, type StoredField, storedFields, text } from '../store/stored-fields.js';
import type { ConnectedSource } from './connected-source.js';

/** Result of the last sync of each connected source, of every kind. */

const day: StoredField<string> = { ...text, sql: (column) => `toString(${column})` };
const counts: StoredField<Readonly<Record<string, number>>> = {
  type: z.record(z.string(), z.number()),
  sql: (column) => column,
  write: (value) => value,
};

const sync = storedFields({
  websiteId: text,
  sourceId: text,
  /** Milliseconds since the epoch. */
  attemptedAt: instant,
  /** The last successful sync; null: none. */
  lastSyncAt: orNone(instant, 0),
  /** The last day for which the source has reported complete data, `YYYY-MM-DD`; null: none. */
  dataThrough: orNone(day, '1970-01-01'),
  /** Counts of the data of that sync, by name. */
  counts,
  /** Reason why the last sync failed, shown to people; null: it succeeded. */
  problem: orNone(text, ''),
  /** State of the reader for its next run. */
  marks: json(z.unknown()),
});
export type SourceSync = Readonly<z.output<typeof sync.row>>;

/** null: no sync yet. @throws as ClickHouseReader.read */
export async function readSourceSync(
  reader: ClickHouseReader,
  { websiteId, sourceId }: ConnectedSource,
): Promise<SourceSync | null> {
  const [found] = await reader.read({
    name: 'source_syncs.one',
    sql: `SELECT ${sync.columns('s.')} FROM source_syncs AS s
WHERE s.website_id = {website_id: String} AND s.source_id = {source_id: String}
ORDER BY s.attempted_at DESC LIMIT 1`,
    params: { website_id: websiteId, source_id: sourceId },
    row: sync.row,
    restsOn: { websiteId, part: 'other_tables' },
  });
  return found ?? null;
}

/** Syncs of all websites. @throws as ClickHouseReader.read */
export function readSourceSyncs(reader: ClickHouseReader): Promise<SourceSync[]> {
  return reader.read({
    name: 'source_syncs.all',
    sql: `SELECT ${sync.columns('s.')} FROM source_syncs AS s ORDER BY s.attempted_at DESC LIMIT 1 BY s.website_id, s.source_id`,
    params: {},
    row: sync.row,
  });
}

/** Replaces the earlier sync. @throws as ClickHouseWriter.insert */
export async function insertSourceSync(
  writer: ClickHouseWriter,
  kind: ConnectionKind,
  one: SourceSync,
): Promise<void> {
  const rows = [{ ...sync.toRow(one), kind }];
  const deduplicationToken = contentToken('source_syncs', rows);
  await insertRows(writer, { table: 'source_syncs', rows, deduplicationToken, websiteId: one.websiteId });
}
