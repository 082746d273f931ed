import { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';

const row = z.object({ since: z.number() });

/** The hour of a website's oldest stored request, in milliseconds since the epoch; null without a request. */
export async function readDataSince(reader: ClickHouseReader, websiteId: string): Promise<number | null> {
  const [first] = await reader.read({
    name: 'data_since',
    // Follows the primary key and stops at the first row.
    sql: `SELECT toUnixTimestamp(hour) * 1000 AS since FROM traffic_per_hour
WHERE website_id = {website_id: String}
ORDER BY website_id, hour
LIMIT 1`,
    params: { website_id: websiteId },
    row,
    restsOn: websiteId,
  });
  return first?.since ?? null;
}
