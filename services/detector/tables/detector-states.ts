import type { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/store/client.js';
import { contentToken } from '../../../shared/store/content-token.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { instant, storedFields, text } from '../../../shared/store/stored-fields.js';

/**
 * Stores the detector's learned state of each website for its next owner. Only services/detector can read the
 * text.
 */

const stored = storedFields({ websiteId: text, state: text, savedAt: instant });
export type StoredState = Readonly<z.output<typeof stored.row>>;

/**
 * Each row replaces the website's earlier one.
 * @param states some megabytes at most
 * @throws as `ClickHouseWriter.insert`
 */
export async function insertDetectorStates(
  writer: ClickHouseWriter,
  states: readonly StoredState[],
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map(stored.toRow);
  const deduplicationToken = contentToken('detector_states', rows);
  await insertRows(writer, { table: 'detector_states', rows, deduplicationToken });
}

/**
 * The newest state of each of these websites.
 * @param websiteIds websites whose states have some megabytes in total
 * @throws as `ClickHouseReader.read`
 */
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
