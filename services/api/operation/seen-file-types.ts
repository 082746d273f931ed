import { z } from 'zod';
import { SECOND_MS } from '../../../shared/durations.js';
import type { Scope } from '../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

const row = z.object({ file_type: z.string() });

/** The check reads single requests. */
const LONGEST_MS = SECOND_MS;

/** @returns the file types that a request of the window has. @throws StoreTimeoutError if a short search has no result; as ClickHouseReader.read */
export async function readSeenFileTypes(
  reader: ClickHouseReader,
  { websiteId, window: { start, end } }: Pick<Scope, 'websiteId' | 'window'>,
  types: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.read({
    name: 'seen_file_types',
    sql: `SELECT DISTINCT toString(file_type) AS file_type FROM requests
WHERE website_id = {website_id: String} AND file_type IN {types: Array(String)}
  AND timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, types, start, end, limit: types.length },
    row,
    timeoutMs: LONGEST_MS,
  });
  return new Set(rows.map(({ file_type }) => file_type));
}
