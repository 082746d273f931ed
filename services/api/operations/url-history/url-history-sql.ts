import { z } from 'zod';
import { readRequests, requestRow } from '../../../../shared/reads/requests/request-rows-sql.js';
import { type Clause, combine } from '../../../../shared/reads/sql/clause.js';
import { oneOf } from '../../../../shared/reads/sql/filters.js';
import { withLateVerdicts } from '../../../../shared/reads/sql/late-verdicts.js';
import { crawlerPaths } from '../../../../shared/reads/sql/read-tables.js';
import { type Scope, scopeClause } from '../../../../shared/reads/sql/scope.js';
import { selectList } from '../../../../shared/reads/sql/select.js';
import {
  requestClaim,
  resolvedVerification,
  resolvePage,
} from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/**
 * Single fetches by crawlers of one path, or of one path and query, from the raw rows of the window. A rollup counts the fetches of a path
 * with any query.
 */

const eventRow = requestRow.pick({
  timestamp_ms: true,
  client_ip: true,
  bot_name: true,
  bot_family: true,
  verification: true,
  query: true,
  status: true,
  method: true,
  user_agent: true,
  time_taken_ms: true,
  country: true,
});
export type CrawlEvent = z.infer<typeof eventRow>;

export interface CrawlHistory {
  /** Includes the filter for the crawlers. */
  readonly scope: Scope;
  /** Exact, as logged. */
  readonly path: string;
  /** Exact, as logged; '': any. */
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
}

const botRow = z.object({
  bot_name: z.string(),
  requests: z.number(),
  verified_requests: z.number(),
  last_seen: z.number(),
});
type BotFetches = z.infer<typeof botRow>;

/** One page of fetches, newest first, and the number of all fetches by crawler, most fetches first. */
export async function readCrawlHistory(
  reader: ClickHouseReader,
  history: CrawlHistory,
): Promise<{ bots: readonly BotFetches[]; events: CrawlEvent[] }> {
  const { path, query, limit, offset } = history;
  const scope = await withLateVerdicts(reader, history.scope);
  const where = combine([
    scopeClause(scope),
    { sql: 'r.is_bot AND r.path = {path: String}', params: { path } },
    query === '' ? null : { sql: 'r.query = {query: String}', params: { query } },
  ]);
  const [bots, events] = await Promise.all([
    query === '' ? countFetches(reader, scope, path) : countRawFetches(reader, scope, where),
    readRequests(reader, where, { name: 'crawl_history.page', row: eventRow, limit, offset }),
  ]);
  return { bots, events: await resolvePage(reader, scope.websiteId, events) };
}

/** Most fetches first, then by name. */
function countFetches(reader: ClickHouseReader, scope: Scope, path: string): Promise<BotFetches[]> {
  return selectList(reader, scope, {
    name: 'crawl_history.bots',
    from: [crawlerPaths],
    by: ['bot_name'],
    metrics: ['requests', 'verified_requests', 'last_seen'],
    where: [oneOf('path', [path])],
  });
}

function countRawFetches(reader: ClickHouseReader, scope: Scope, where: Clause): Promise<BotFetches[]> {
  const verification = resolvedVerification(requestClaim, scope);
  return reader.read({
    name: 'crawl_history.bots',
    sql: `SELECT r.bot_name AS bot_name, count() AS requests, countIf(${verification.sql} = 'verified') AS verified_requests,
  toUnixTimestamp64Milli(max(r.timestamp)) AS last_seen
FROM requests AS r
WHERE ${where.sql}
GROUP BY r.bot_name
ORDER BY requests DESC, bot_name`,
    params: { ...where.params, ...verification.params },
    row: botRow,
  });
}
