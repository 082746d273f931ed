import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { contentToken } from '../clickhouse/content-token.js';
import { dateTime64, insertRows } from '../clickhouse/insert-rows.js';

/** What the detector knows of each website, from which its next owner goes on. Only services/detector can read the text. */

export interface StoredState {
  readonly websiteId: string;
  readonly state: string;
  /** Of `requests.signals`: the partition, and the offset of the next record that the state does not hold. */
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

/** Each replaces the website's earlier one. @param states some megabytes at most @throws as `ClickHouseWriter.insert` */
export async function insertDetectorStates(
  writer: ClickHouseWriter,
  states: readonly StoredState[],
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(({ websiteId, state, partition, offset, savedAt }) => ({
    website_id: websiteId,
    state,
    log_partition: partition,
    log_offset: offset,
    saved_at: dateTime64(savedAt),
  }));
  const deduplicationToken = contentToken('detector_states', rows);
  await insertRows(writer, { table: 'detector_states', rows, deduplicationToken });
}

export interface StateSize {
  readonly websiteId: string;
  /** Of the newest state's text. */
  readonly bytes: number;
}

/** Of one statement. */
const PAGE_ROWS = 100_000;

/** Every website of which a state is stored. @throws as `ClickHouseReader.read` */
export async function readStateSizes(reader: ClickHouseReader, pageRows = PAGE_ROWS): Promise<StateSize[]> {
  const sizes: StateSize[] = [];
  for (let after = ''; ; ) {
    const page = await reader.read({
      name: 'detector_states.sizes',
      sql: `SELECT website_id, argMax(state_bytes, saved_at) AS bytes
FROM detector_states
WHERE website_id > {after: String}
GROUP BY website_id
ORDER BY website_id
LIMIT {page_rows: UInt64}`,
      params: { after, page_rows: pageRows },
      row: z.object({ website_id: z.string(), bytes: z.number() }),
      caughtUpWith: ['detector_states'],
    });
    for (const { website_id, bytes } of page) sizes.push({ websiteId: website_id, bytes });
    const last = page.at(-1);
    if (last === undefined || page.length < pageRows) return sizes;
    after = last.website_id;
  }
}

/** The newest state of each of these websites. @param websiteIds whose states are some megabytes @throws as `ClickHouseReader.read` */
export async function readDetectorStates(
  reader: ClickHouseReader,
  websiteIds: readonly string[],
): Promise<StoredState[]> {
  if (websiteIds.length === 0) return [];
  const rows = await reader.read({
    name: 'detector_states.of',
    sql: `SELECT website_id, state, log_partition, log_offset, toUnixTimestamp64Milli(saved_at) AS saved_at_ms
FROM detector_states FINAL
WHERE website_id IN {website_ids: Array(String)}`,
    params: { website_ids: websiteIds },
    row: z.object({
      website_id: z.string(),
      state: z.string(),
      log_partition: z.number(),
      log_offset: z.number(),
      saved_at_ms: z.number(),
    }),
    caughtUpWith: ['detector_states'],
  });
  return rows.map((one) => ({
    websiteId: one.website_id,
    state: one.state,
    partition: one.log_partition,
    offset: one.log_offset,
    savedAt: one.saved_at_ms,
  }));
}
