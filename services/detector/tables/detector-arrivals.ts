import type { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../../../shared/store/client.js';
import { contentToken } from '../../../shared/store/content-token.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { instant, storedFields, text } from '../../../shared/store/stored-fields.js';
import { readByWebsites } from '../../../shared/store/website-pages.js';

/**
 * Stores for the detector's next owner when each website's requests arrived and which intervals are
 * evaluated. Only services/detector can read the text.
 */

const stored = storedFields({ websiteId: text, arrivals: text, savedAt: instant });
export type StoredArrivals = Readonly<z.output<typeof stored.row>>;

/**
 * Each row replaces the website's earlier one.
 * @param arrivals a thousand at most
 * @throws as `ClickHouseWriter.insert`
 */
export async function insertDetectorArrivals(
  writer: ClickHouseWriter,
  arrivals: readonly StoredArrivals[],
): Promise<void> {
  if (arrivals.length === 0) return;
  const rows = arrivals.map(stored.toRow);
  const deduplicationToken = contentToken('detector_arrivals', rows);
  await insertRows(writer, { table: 'detector_arrivals', rows, deduplicationToken });
}

/** Rows of one statement; a text has about a kilobyte. */
const PAGE_ROWS = 5_000;

/**
 * The newest arrivals of every website that `isWanted` accepts.
 * @throws as `ClickHouseReader.read`
 */
export function readDetectorArrivals(
  reader: ClickHouseReader,
  isWanted: (websiteId: string) => boolean,
  pageRows = PAGE_ROWS,
): Promise<StoredArrivals[]> {
  return readByWebsites(
    reader,
    {
      name: 'detector_arrivals.all',
      sql: `SELECT ${stored.columns()}
FROM detector_arrivals FINAL
WHERE website_id > {after: String}
ORDER BY website_id
LIMIT {page_rows: UInt64}`,
      params: {},
      row: stored.row,
      caughtUpWith: ['detector_arrivals'],
    },
    pageRows,
    isWanted,
  );
}
