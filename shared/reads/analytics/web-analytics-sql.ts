import { z } from 'zod';
import type { ConnectedSource } from '../../connections/connected-source.js';
import { ofLastReads, type ReadDay } from '../../connections/last-reads.js';
import type { ClickHouseReader } from '../../store/client.js';
import type { Clause } from '../sql/clause.js';
import { rowsBetween } from '../sql/rows-between.js';
import { isServedPage } from '../sql/served-page.js';
import type { AnalyticsDay, AnalyticsPage, SessionSource } from './analytics-measures.js';

/** Stored rows of web analytics. Days are `YYYY-MM-DD` in the property's time zone; a span includes both ends. */

interface Span {
  readonly from: string;
  readonly to: string;
}

const SOURCE = 'website_id = {website_id: String} AND source_id = {source_id: String}';
const IN_SPAN = 'day BETWEEN {from: Date} AND {to: Date}';

/** Rows `t` of the span from the last read of each day. */
const CURRENT = `t.website_id = {website_id: String} AND t.source_id = {source_id: String} AND t.${IN_SPAN}
  AND (t.day, t.version) IN (SELECT day, max(version) FROM analytics_days WHERE ${SOURCE} AND ${IN_SPAN} GROUP BY day)`;

function paramsOf({ websiteId, sourceId }: ConnectedSource, { from, to }: Span) {
  return { website_id: websiteId, source_id: sourceId, from, to };
}

const SESSION_SUMS = `sum(t.sessions) AS sessions, sum(t.engaged_sessions) AS engagedSessions, sum(t.key_events) AS keyEvents,
  sum(t.revenue) AS revenue`;
const VIEW_SUMS =
  'sum(t.pageviews) AS pageviews, sum(t.active_users) AS activeUsers, sum(t.engagement_secs) AS engagementSecs';
const SENDER_SUMS = 'sum(t.ai_sessions) AS aiSessions, sum(t.search_sessions) AS searchSessions';

const sessionRow = {
  sessions: z.number(),
  engagedSessions: z.number(),
  keyEvents: z.number(),
  revenue: z.number(),
};
const readDay = { day: z.string(), version: z.number() };
const viewRow = { pageviews: z.number(), activeUsers: z.number(), engagementSecs: z.number() };
const pageRow = { ...sessionRow, ...viewRow, aiSessions: z.number(), searchSessions: z.number() };

/** Stored days of the span, oldest first. @throws as ClickHouseReader.read, like all functions here */
export function readAnalyticsDays(
  reader: ClickHouseReader,
  source: ConnectedSource,
  span: Span,
): Promise<(AnalyticsDay & ReadDay)[]> {
  return reader.read({
    name: 'web_analytics.days',
    sql: `SELECT toString(t.day) AS day, max(t.version) AS version, any(t.currency) AS currency, any(t.time_zone) AS timeZone, ${SESSION_SUMS}, ${VIEW_SUMS}
FROM analytics_days AS t FINAL
WHERE t.website_id = {website_id: String} AND t.source_id = {source_id: String} AND t.${IN_SPAN}
GROUP BY t.day ORDER BY t.day`,
    params: paramsOf(source, span),
    row: z.object({
      ...readDay,
      currency: z.string(),
      timeZone: z.string(),
      ...sessionRow,
      ...viewRow,
    }),
    restsOn: { websiteId: source.websiteId, part: 'other_tables' },
  });
}

/** Sources with their media, most sessions first. */
export function readTopSessionSources(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { limit, ...span }: Span & { readonly limit: number },
): Promise<Omit<SessionSource, 'aiOperator'>[]> {
  return reader.read({
    name: 'web_analytics.sources',
    sql: `SELECT t.source AS source, t.medium AS medium, ${SESSION_SUMS}
FROM analytics_sources AS t
WHERE ${CURRENT}
GROUP BY t.source, t.medium
ORDER BY sessions DESC, source, medium
LIMIT {limit: UInt32}`,
    params: { ...paramsOf(source, span), limit },
    row: z.object({ source: z.string(), medium: z.string(), ...sessionRow }),
  });
}

/** Sources that name an AI assistant, with any medium, most sessions first. */
export function readAiSessionSources(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { limit, ...span }: Span & { readonly limit: number },
): Promise<Omit<SessionSource, 'medium'>[]> {
  return reader.read({
    name: 'web_analytics.ai_sources',
    sql: `SELECT t.ai_operator AS aiOperator, t.source AS source, ${SESSION_SUMS}
FROM analytics_sources AS t
WHERE ${CURRENT} AND t.ai_operator != ''
GROUP BY t.ai_operator, t.source
ORDER BY sessions DESC, aiOperator, source
LIMIT {limit: UInt32}`,
    params: { ...paramsOf(source, span), limit },
    row: z.object({ aiOperator: z.string(), source: z.string(), ...sessionRow }),
  });
}

export interface PageQuestion extends Span {
  /** Only pages whose path contains it; null: all. */
  readonly fragment: string | null;
  readonly limit: number;
}

/** Pages, most sessions first, then most views; `total` counts all pages, without the limit. */
export async function readAnalyticsPages(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { fragment, limit, ...span }: PageQuestion,
): Promise<{ readonly pages: AnalyticsPage[]; readonly total: number }> {
  const narrowed = narrow(fragment);
  const rows = await reader.read({
    name: 'web_analytics.pages',
    sql: `SELECT t.path AS path, ${SESSION_SUMS}, ${VIEW_SUMS}, ${SENDER_SUMS}, count() OVER () AS total
FROM analytics_pages AS t
WHERE ${CURRENT} AND ${narrowed.sql}
GROUP BY t.path
ORDER BY sessions DESC, pageviews DESC, path
LIMIT {limit: UInt32}`,
    params: { ...paramsOf(source, span), ...narrowed.params, limit },
    row: z.object({
      path: z.string(),
      ...pageRow,
      total: z.number(),
    }),
  });
  return { pages: rows.map(({ total: _total, ...page }) => page), total: rows[0]?.total ?? 0 };
}

function narrow(fragment: string | null): Clause {
  if (fragment === null) return { sql: 'true', params: {} };
  return { sql: 'positionCaseInsensitive(t.path, {q: String}) > 0', params: { q: fragment } };
}

/**
 * The days of one page, oldest first; days without a row of it are absent.
 * @param days of the span, from `readAnalyticsDays`. Rows are chosen by them in this process: a subquery costs the engine as much as a statement.
 */
export async function readAnalyticsPageDays(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { path, days, ...span }: Span & { readonly path: string; readonly days: readonly ReadDay[] },
): Promise<(Omit<AnalyticsPage, 'path'> & ReadDay)[]> {
  const rows = await reader.read({
    name: 'web_analytics.page_days',
    sql: `SELECT toString(t.day) AS day, t.version AS version, ${SESSION_SUMS}, ${VIEW_SUMS}, ${SENDER_SUMS}
FROM analytics_pages AS t
WHERE ${SOURCE} AND t.${IN_SPAN} AND t.path = {path: String}
GROUP BY t.day, t.version ORDER BY t.day`,
    params: { ...paramsOf(source, span), path },
    row: z.object({ ...readDay, ...pageRow }),
    restsOn: { websiteId: source.websiteId, part: 'other_tables' },
  });
  return ofLastReads(rows, days);
}

/** Requests in the logs, for comparison with the views counted by analytics. Times are milliseconds since the epoch. */
export interface LogQuestion {
  readonly websiteId: string;
  readonly start: number;
  readonly end: number;
  /** Only this path; null: all paths. */
  readonly path: string | null;
  /** Length of the time pieces. */
  readonly pieceMs: number;
}

/** SQL over `requests AS r`: a page was served to a person. */
export const isHumanPage = `r.traffic_class = 'human' AND r.method = 'GET' AND (${isServedPage('r.file_type', 'r.status')})`;

/**
 * Pages served to people by time piece, in order: GET, of a page type, answered 2xx or 304. No rollup has people by file type, so it reads
 * raw rows.
 */
export function readHumanPages(
  reader: ClickHouseReader,
  { websiteId, start, end, path, pieceMs }: LogQuestion,
): Promise<{ readonly at: number; readonly pages: number }[]> {
  return reader.read({
    name: 'web_analytics.human_pages',
    sql: `SELECT intDiv(toUnixTimestamp64Milli(r.timestamp), {piece: Int64}) * {piece: Int64} AS at, count() AS pages
FROM requests AS r
WHERE r.website_id = {website_id: String}
  AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND r.timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')
  AND ${isHumanPage}${path === null ? '' : ' AND r.path = {path: String}'}
GROUP BY at ORDER BY at`,
    params: { website_id: websiteId, start, end, piece: pieceMs, ...(path !== null && { path }) },
    row: z.object({ at: z.number(), pages: z.number() }),
    restsOn: rowsBetween(websiteId, start, end),
  });
}

/** The hours in which the logs have a request, in order. */
export async function readLogHours(
  reader: ClickHouseReader,
  { websiteId, start, end }: Pick<LogQuestion, 'websiteId' | 'start' | 'end'>,
): Promise<number[]> {
  const rows = await reader.read({
    name: 'web_analytics.log_hours',
    sql: `SELECT toUnixTimestamp(t.hour) * 1000 AS at FROM traffic_per_hour AS t
WHERE t.website_id = {website_id: String} AND t.hour >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND t.hour < fromUnixTimestamp64Milli({end: Int64}, 'UTC')
GROUP BY t.hour ORDER BY t.hour`,
    params: { website_id: websiteId, start, end },
    row: z.object({ at: z.number() }),
    restsOn: rowsBetween(websiteId, start, end),
  });
  return rows.map(({ at }) => at);
}
