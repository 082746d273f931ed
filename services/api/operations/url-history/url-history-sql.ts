import { z } from 'zod';
import { readRequests, requestRow } from '../../../../shared/reads/requests/request-rows-sql.js';
import { combine } from '../../../../shared/reads/sql/clause.js';
import { type Scope, scopeClause } from '../../../../shared/reads/sql/scope.js';
import {
  requestClaim,
  resolvedVerification,
  resolvePage,
} from '../../../../shared/reads/sql/verification.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';

/** Single fetches by crawlers of one path, or of one path and query, from the raw rows of the window. */

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
  fetches: z.number(),
  verified: z.number(),
  last_ms: z.number(),
});

/** One page of fetches, newest first, and the number of all fetches by crawler, most fetches first. */
export async function readCrawlHistory(
  reader: ClickHouseReader,
  history: CrawlHistory,
): Promise<{ bots: z.infer<typeof botRow>[]; events: CrawlEvent[] }> {
  const { scope, path, query, limit, offset } = history;
  const where = combine([
    scopeClause(scope),
    { sql: 'r.is_bot AND r.path = {path: String}', params: { path } },
    query === '' ? null : { sql: 'r.query = {query: String}', params: { query } },
  ]);
  const verification = resolvedVerification(requestClaim, scope);
  const [bots, events] = await Promise.all([
    reader.read({
      name: 'crawl_history.bots',
      sql: `SELECT r.bot_name AS bot_name, count() AS fetches, countIf(${verification.sql} = 'verified') AS verified,
  toUnixTimestamp64Milli(max(r.timestamp)) AS last_ms
FROM requests AS r
WHERE ${where.sql}
GROUP BY r.bot_name
ORDER BY fetches DESC, bot_name`,
      params: { ...where.params, ...verification.params },
      row: botRow,
    }),
    readRequests(reader, where, { name: 'crawl_history.page', row: eventRow, limit, offset }),
  ]);
  return { bots, events: await resolvePage(reader, scope.websiteId, events) };
}
