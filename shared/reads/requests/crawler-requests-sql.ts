import type { z } from 'zod';
import type { ClickHouseReader } from '../../store/client.js';
import { combine } from '../sql/clause.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import { resolvePage } from '../sql/verification.js';
import { NEWEST_FIRST, readRequests, requestRow } from './request-rows-sql.js';

/** Single requests of crawlers, straight from the raw rows; which ones, the scope's filters say. */

const crawlerRequestRow = requestRow.pick({
  timestamp_ms: true,
  path: true,
  query: true,
  status: true,
  method: true,
  client_ip: true,
  user_agent: true,
  bot_name: true,
  bot_family: true,
  verification: true,
  time_taken_ms: true,
});
export type CrawlerRequestRow = z.infer<typeof crawlerRequestRow>;

export interface CrawlerRequestPage {
  readonly scope: Scope;
  /** Requests with a known time, slowest first; false: all, newest first. */
  readonly slowestFirst: boolean;
  readonly limit: number;
  readonly offset: number;
  /** The offset counts from the last row, not from the first. */
  readonly fromEnd?: boolean;
}

const SLOWEST_FIRST = NEWEST_FIRST.replace('ORDER BY ', 'ORDER BY r.time_taken_ms DESC, ');

/** With the current verification. */
export async function readCrawlerRequests(
  reader: ClickHouseReader,
  { scope, slowestFirst, limit, offset, fromEnd = false }: CrawlerRequestPage,
): Promise<CrawlerRequestRow[]> {
  const where = combine([
    scopeClause(await withLateVerdicts(reader, scope)),
    { sql: 'r.is_bot', params: {} },
    slowestFirst ? { sql: 'r.time_taken_ms IS NOT NULL', params: {} } : null,
  ]);
  const order = slowestFirst ? SLOWEST_FIRST : NEWEST_FIRST;
  const rows = await readRequests(reader, where, {
    name: 'crawler_requests.page',
    row: crawlerRequestRow,
    limit,
    offset,
    order: fromEnd ? order.replaceAll(' DESC', ' ASC') : order,
  });
  return resolvePage(reader, scope.websiteId, fromEnd ? rows.toReversed() : rows);
}
