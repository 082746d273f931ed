import type { z } from 'zod';
import type { ClickHouseReader } from '../clickhouse/client.js';
import { NEWEST_FIRST, requestColumns, requestRow } from './requests.js';
import { type SegmentRules, segmentClause } from './segments.js';
import { resolvePage } from './verification.js';

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
  bot_family: true,
  bot_category: true,
  verification: true,
});
/** `bot_family` only finds the verdict. */
export type LiveRow = Omit<z.infer<typeof liveRow>, 'bot_family'>;

const conditions: Record<LiveFeedType, string> = {
  all: '',
  bots: 'AND r.is_bot',
  human: 'AND NOT r.is_bot',
  errors: 'AND r.status >= 400',
};

export interface LiveFeed {
  readonly websiteId: string;
  readonly type: LiveFeedType;
  readonly segment: SegmentRules | null;
  readonly limit: number;
}

/**
 * Newest first. Read backwards along the primary key: it stops as soon as `limit` rows are found, which for a segment
 * that few requests are in may be far back.
 */
export async function readLiveFeed(
  reader: ClickHouseReader,
  { websiteId, type, segment, limit }: LiveFeed,
): Promise<LiveRow[]> {
  const clause = segment === null ? null : segmentClause(segment, 'segment');
  const rows = await reader.read({
    name: `live.${type}`,
    sql: `SELECT ${requestColumns(liveRow)}
FROM requests AS r
WHERE r.website_id = {website_id: String} ${conditions[type]}${clause === null ? '' : ` AND ${clause.sql}`}
${NEWEST_FIRST}
LIMIT {limit: UInt32}`,
    params: { website_id: websiteId, ...clause?.params, limit },
    row: liveRow,
  });
  return (await resolvePage(reader, websiteId, rows)).map(({ bot_family, ...row }) => row);
}
