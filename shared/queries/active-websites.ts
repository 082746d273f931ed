import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

const row = z.object({ website_id: z.string() });

/** Of one statement: there may be any number of websites. */
const PAGE_ROWS = 100_000;

/**
 * Every website that requests were received from on the last 30 UTC days, today included.
 * @param now milliseconds since the epoch. @throws as `ClickHouseReader.read`
 */
export async function readActiveWebsites(
  reader: ClickHouseReader,
  now: number,
  pageRows = PAGE_ROWS,
): Promise<Set<string>> {
  const websites = new Set<string>();
  for (let after = ''; ; ) {
    const page = await reader.read({
      name: 'jobs.active_websites',
      sql: `SELECT DISTINCT website_id FROM receipts_per_day
WHERE website_id > {after: String} AND day > toDate(fromUnixTimestamp64Milli({now: Int64}, 'UTC')) - 30
ORDER BY website_id
LIMIT {page_rows: UInt64}`,
      params: { after, now, page_rows: pageRows },
      row,
    });
    for (const { website_id } of page) websites.add(website_id);
    if (page.length < pageRows) return websites;
    after = page.at(-1)!.website_id;
  }
}
