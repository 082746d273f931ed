import { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';

const row = z.object({ name: z.string() });

/** Name of a crawler that has requested something of the website and is kept, as reads show it; from whatever case. null: none has. */
export async function readSeenCrawler(
  reader: ClickHouseReader,
  websiteId: string,
  name: string,
): Promise<string | null> {
  const [seen] = await reader.read({
    name: 'seen_crawler',
    sql: `SELECT toString(bot_name) AS name FROM bots_per_hour
WHERE website_id = {website_id: String} AND lower(bot_name) = {name: String}
LIMIT 1`,
    params: { website_id: websiteId, name: name.toLowerCase() },
    row,
  });
  return seen?.name ?? null;
}
