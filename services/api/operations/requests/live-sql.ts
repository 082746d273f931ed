import type { z } from 'zod';
import {
  NEWEST_FIRST,
  readRequests,
  requestRow,
} from '../../../../shared/reads/requests/request-rows-sql.js';
import { combine } from '../../../../shared/reads/sql/clause.js';
import {
  ruleTargetOf,
  type SegmentRules,
  segmentClause,
} from '../../../../shared/reads/sql/segment-conditions.js';
import { resolvePage } from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

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
  traffic_class: true,
  is_bot: true,
  bot_name: true,
  bot_family: true,
  bot_category: true,
  verification: true,
});
type StoredRow = z.infer<typeof liveRow>;
/** `bot_family` is read only to find the verdict. */
export type LiveRow = Omit<StoredRow, 'bot_family'>;

const conditions: Record<LiveFeedType, string> = {
  all: '',
  bots: "r.traffic_class != 'human'",
  human: "r.traffic_class = 'human'",
  errors: 'r.status >= 400 AND r.status < 600',
};

export interface LiveFeed {
  readonly websiteId: string;
  readonly type: LiveFeedType;
  readonly segment: SegmentRules | null;
  /** Milliseconds since the epoch: later requests are not shown. */
  readonly until: number;
  readonly limit: number;
}

/** Rows that regexes search first: most segments fill the feed from these. */
const RECENT_ROWS = 50_000;

/**
 * Newest first. The read goes backwards along the primary key and stops after `limit` rows. For a rare segment it may go far back.
 * Regexes first search the paths of the newest rows, and all rows only if these are not enough.
 */
export async function readLiveFeed(reader: ClickHouseReader, feed: LiveFeed): Promise<LiveRow[]> {
  const rows = await readFeed(reader, feed);
  return (await resolvePage(reader, feed.websiteId, rows)).map(({ bot_family, ...row }) => row);
}

async function readFeed(reader: ClickHouseReader, feed: LiveFeed): Promise<StoredRow[]> {
  const rules = [...(feed.segment?.rules ?? []), ...(feed.segment?.excludeRules ?? [])];
  if (!rules.some(({ type }) => type === 'regex')) return readRows(reader, feed, ALL_ROWS);
  const recent = await readRows(reader, feed, NEWEST_ROWS);
  return recent.length < feed.limit ? readRows(reader, feed, ALL_ROWS) : recent;
}

const OF_WEBSITE =
  "r.website_id = {website_id: String} AND r.timestamp <= fromUnixTimestamp64Milli({until: Int64}, 'UTC')";
const ALL_ROWS = OF_WEBSITE;
/** The newest rows, back to the timestamp of the last one; rows of that timestamp are all included or all left out. */
const NEWEST_ROWS = `${OF_WEBSITE} AND r.timestamp > (
  SELECT min(newest.timestamp) FROM (SELECT r.timestamp AS timestamp FROM requests AS r WHERE ${OF_WEBSITE} ${NEWEST_FIRST} LIMIT ${RECENT_ROWS}) AS newest)`;

function readRows(
  reader: ClickHouseReader,
  { websiteId, type, segment, until, limit }: LiveFeed,
  rows: string,
): Promise<StoredRow[]> {
  const where = combine([
    { sql: rows, params: { website_id: websiteId, until } },
    conditions[type] === '' ? null : { sql: conditions[type], params: {} },
    segment === null ? null : segmentClause(segment, 'segment', ruleTargetOf(rows)),
  ]);
  return readRequests(reader, where, { name: `live.${type}`, row: liveRow, limit });
}
