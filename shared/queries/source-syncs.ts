import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

/** How the last reading of each connected source went, whatever its kind. */

export interface SourceSync {
  readonly websiteId: string;
  readonly sourceId: string;
  /** Milliseconds since the epoch. */
  readonly attemptedAt: number;
  /** The last reading that came to its end; null: none did. */
  readonly lastSyncAt: number | null;
  /** The last day that the source has told in full, `YYYY-MM-DD`; null: none. */
  readonly dataThrough: string | null;
  /** What that reading brought, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** What kept the last reading from its end, for people; null: nothing. */
  readonly problem: string | null;
  /** What the reader keeps for its next run. */
  readonly marks: unknown;
}

const row = z.object({
  website_id: z.string(),
  source_id: z.string(),
  attempted_ms: z.number(),
  synced_ms: z.number(),
  through: z.string(),
  counts: z.record(z.string(), z.number()),
  problem: z.string(),
  marks: z.string(),
});

/** Stands in the table for no day. */
export const NEVER = '1970-01-01';

const COLUMNS = `s.website_id AS website_id, s.source_id AS source_id, toUnixTimestamp64Milli(s.attempted_at) AS attempted_ms,
  toUnixTimestamp64Milli(s.last_sync_at) AS synced_ms, toString(s.data_through) AS through, s.counts AS counts, s.problem AS problem, s.marks AS marks`;

/** null: it was never read. @throws as ClickHouseReader.read */
export async function readSourceSync(
  reader: ClickHouseReader,
  { websiteId, sourceId }: { readonly websiteId: string; readonly sourceId: string },
): Promise<SourceSync | null> {
  const [found] = await reader.read({
    name: 'source_syncs.one',
    sql: `SELECT ${COLUMNS} FROM source_syncs AS s
WHERE s.website_id = {website_id: String} AND s.source_id = {source_id: String}
ORDER BY s.attempted_at DESC LIMIT 1`,
    params: { website_id: websiteId, source_id: sourceId },
    row,
  });
  return found === undefined ? null : toSync(found);
}

/** Of all websites. @throws as ClickHouseReader.read */
export async function readSourceSyncs(reader: ClickHouseReader): Promise<SourceSync[]> {
  const rows = await reader.read({
    name: 'source_syncs.all',
    sql: `SELECT ${COLUMNS} FROM source_syncs AS s ORDER BY s.attempted_at DESC LIMIT 1 BY s.website_id, s.source_id`,
    params: {},
    row,
  });
  return rows.map(toSync);
}

function toSync(found: z.output<typeof row>): SourceSync {
  return {
    websiteId: found.website_id,
    sourceId: found.source_id,
    attemptedAt: found.attempted_ms,
    lastSyncAt: found.synced_ms === 0 ? null : found.synced_ms,
    dataThrough: found.through === NEVER ? null : found.through,
    counts: found.counts,
    problem: found.problem === '' ? null : found.problem,
    marks: JSON.parse(found.marks),
  };
}
