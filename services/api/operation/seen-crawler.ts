import { z } from 'zod';
import { crawlerNamesColumn } from '../../../shared/reads/sql/dimensions.js';
import type { ClickHouseReader } from '../../../shared/store/client.js';

const row = z.object({ name: z.string() });

/** Canonical name of a crawler with stored requests to the website, ignoring case. null: there are none. */
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

/** Whether a stored request of the website claimed this name or family, ignoring case. */
export async function readIsSeenBot(
  reader: ClickHouseReader,
  websiteId: string,
  name: string,
): Promise<boolean> {
  const seen = await reader.read({
    name: 'seen_crawler.any_name',
    sql: `SELECT toString(bot_name) AS name FROM bots_per_hour
WHERE website_id = {website_id: String} AND has(${crawlerNamesColumn}, {name: String})
LIMIT 1`,
    params: { website_id: websiteId, name: name.toLowerCase() },
    row,
  });
  return seen.length > 0;
}

/** Names of the bots with most stored requests. */
export async function readBusiestBots(
  reader: ClickHouseReader,
  websiteId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.read({
    name: 'seen_crawler.busiest',
    sql: `SELECT toString(bot_name) AS name FROM bots_per_hour
WHERE website_id = {website_id: String} AND bot_name != ''
GROUP BY name ORDER BY sum(requests) DESC, name LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, limit },
    row,
  });
  return rows.map(({ name }) => name);
}
