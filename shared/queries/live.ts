import type { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { NEWEST_FIRST, requestColumns, requestRow } from './requests.js';

/** The live feed: a website's newest requests. */

export const liveFeedTypes = ['all', 'bots', 'human', 'errors'] as const;
export type LiveFeedType = (typeof liveFeedTypes)[number];

const liveRow = requestRow.pick({
  timestamp_ms: true,
  client_ip: true,
  method: true,
  path: true,
  status: true,
  bytes_sent: true,
  time_taken_ms: true,
  user_agent: true,
  is_bot: true,
  bot_name: true,
  bot_category: true,
  verification: true,
});
export type LiveRow = z.infer<typeof liveRow>;

const conditions: Record<LiveFeedType, string> = {
  all: '',
  bots: 'AND r.is_bot',
  human: 'AND NOT r.is_bot',
  errors: 'AND r.status >= 400',
};

/** Newest first. Read backwards along the primary key: it stops as soon as `limit` rows are found. */
export function readLiveFeed(
  reader: ClickHouseReader,
  { websiteId, type, limit }: { websiteId: string; type: LiveFeedType; limit: number },
): Promise<LiveRow[]> {
  return reader.read({
    name: `live.${type}`,
    sql: `SELECT ${requestColumns(liveRow)}
FROM requests AS r
WHERE r.website_id = {website_id: String} ${conditions[type]}
${NEWEST_FIRST}
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, limit },
    row: liveRow,
  });
}
