import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { readByWebsites } from './website-pages.js';

/**
 * Every website that requests were received from on the last 30 UTC days, today included.
 * @param now milliseconds since the epoch. @throws as `ClickHouseReader.read`
 */
export async function readActiveWebsites(
  reader: ClickHouseReader,
  now: number,
  pageRows?: number,
): Promise<Set<string>> {
  const query = {
    name: 'jobs.active_websites',
    sql: `SELECT DISTINCT website_id AS websiteId FROM receipts_per_day
WHERE website_id > {after: String} AND day > toDate(fromUnixTimestamp64Milli({now: Int64}, 'UTC')) - 30
ORDER BY website_id
LIMIT {page_rows: UInt64}`,
    params: { now },
    row: z.object({ websiteId: z.string() }),
  };
  return new Set((await readByWebsites(reader, query, pageRows)).map(({ websiteId }) => websiteId));
}
