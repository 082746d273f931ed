import { z } from 'zod';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { readByWebsites } from '../../../shared/store/website-pages.js';

/**
 * Every website with requests in the last 90 UTC days, including today, and the last of these days.
 * @param now milliseconds since the epoch, as the days. @throws as `ClickHouseReader.read`
 */
export async function readActiveWebsites(
  reader: ClickHouseReader,
  now: number,
  pageRows?: number,
): Promise<Map<string, number>> {
  const query = {
    name: 'jobs.active_websites',
    sql: `SELECT website_id AS websiteId, toUnixTimestamp(toDateTime(max(day), 'UTC')) AS seconds FROM receipts_per_day
WHERE website_id > {after: String} AND day > toDate(fromUnixTimestamp64Milli({now: Int64}, 'UTC')) - 90
GROUP BY website_id
ORDER BY website_id
LIMIT {page_rows: UInt64}
SETTINGS optimize_aggregation_in_order = 1`,
    params: { now },
    row: z.object({ websiteId: z.string(), seconds: z.number() }),
  };
  const rows = await readByWebsites(reader, query, pageRows);
  return new Map(rows.map(({ websiteId, seconds }) => [websiteId, seconds * 1000]));
}
