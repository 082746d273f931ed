import { z } from 'zod';
import type { ClickHouseReader } from '../../../shared/store/client.js';

/** The robots.txt for a website's sitemaps. Separate from robots.ts, because the jobs service reads these two tables but no requests. */

const row = z.object({ outcome: z.string(), content: z.string() });

/**
 * The text of the last robots.txt that was found, or '' if the last response was that there is none. null: no response since then.
 * @param since milliseconds since the epoch. @throws as `ClickHouseReader.read`
 */
export async function readLastRobots(
  reader: ClickHouseReader,
  websiteId: string,
  since: number,
): Promise<string | null> {
  const [last] = await reader.read({
    name: 'robots.last',
    sql: `SELECT f.outcome AS outcome, v.content AS content
FROM (
  SELECT outcome, hash FROM robots_fetches
  WHERE website_id = {website_id: String} AND outcome IN ('found', 'missing')
    AND fetched_at >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
  ORDER BY fetched_at DESC
  LIMIT 1
) AS f
LEFT JOIN (
  SELECT hash, argMax(content, stored_at) AS content FROM robots_versions
  WHERE website_id = {website_id: String}
  GROUP BY hash
) AS v ON f.hash = v.hash`,
    params: { website_id: websiteId, since },
    row,
  });
  return last === undefined ? null : last.content;
}
