import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { insertRows } from '../clickhouse/insert-rows.js';
import { instant, number, storedFields, text } from './stored-fields.js';
import { readByWebsites } from './website-pages.js';

/** What the detector knows of each website, from which its next owner goes on. Only services/detector can read the text. */

const stored = storedFields(
  {
    websiteId: text,
    state: text,
    /** Of `requests.signals`: the partition, and the offset of the next record that the state does not hold. */
    partition: number,
    offset: number,
    savedAt: instant,
  },
  { partition: 'log_partition', offset: 'log_offset' },
);
export type StoredState = Readonly<z.output<typeof stored.row>>;

/** Each replaces the website's earlier one. @param states some megabytes at most @throws as `ClickHouseWriter.insert` */
export async function insertDetectorStates(
  writer: ClickHouseWriter,
  states: readonly StoredState[],
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(stored.toRow);
  const deduplicationToken = contentToken('detector_states', rows);
  await insertRows(writer, { table: 'detector_states', rows, deduplicationToken });
}

const stateSize = z.object({ websiteId: z.string(), bytes: z.number() });
/** `bytes` of the newest state's text. */
export type StateSize = Readonly<z.output<typeof stateSize>>;

/** Every website of which a state is stored. @throws as `ClickHouseReader.read` */
export function readStateSizes(reader: ClickHouseReader, pageRows?: number): Promise<StateSize[]> {
  return readByWebsites(
    reader,
    {
      name: 'detector_states.sizes',
      sql: `SELECT website_id AS websiteId, argMax(state_bytes, saved_at) AS bytes
FROM detector_states
WHERE website_id > {after: String}
GROUP BY website_id
ORDER BY website_id
LIMIT {page_rows: UInt64}`,
      params: {},
      row: stateSize,
      caughtUpWith: ['detector_states'],
    },
    pageRows,
  );
}

/** The newest state of each of these websites. @param websiteIds whose states are some megabytes @throws as `ClickHouseReader.read` */
export async function readDetectorStates(
  reader: ClickHouseReader,
  websiteIds: readonly string[],
): Promise<StoredState[]> {
  if (websiteIds.length === 0) return [];
  return reader.read({
    name: 'detector_states.of',
    sql: `SELECT ${stored.columns()}
FROM detector_states FINAL
WHERE website_id IN {website_ids: Array(String)}`,
    params: { website_ids: websiteIds },
    row: stored.row,
    caughtUpWith: ['detector_states'],
  });
}
