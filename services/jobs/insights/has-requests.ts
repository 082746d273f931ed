import { z } from 'zod';
import type { Window } from '../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** Whether a website has any request in these hours. @param window of whole hours. @throws as `ClickHouseReader.read` */
export async function hasRequests(
  reader: ClickHouseReader,
  websiteId: string,
  { start, end }: Window,
): Promise<boolean> {
  const found = await reader.read({
    name: 'traffic.any',
    sql: `SELECT 1 AS one FROM traffic_per_hour
WHERE website_id = {website_id: String}
  AND hour >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND hour < fromUnixTimestamp64Milli({end: Int64}, 'UTC')
LIMIT 1`,
    params: { website_id: websiteId, start, end },
    row: z.object({ one: z.number() }),
  });
  return found.length > 0;
}
