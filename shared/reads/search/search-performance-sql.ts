import { z } from 'zod';
import type { ConnectedSource } from '../../connections/connected-source.js';
import type { ReadDay } from '../../connections/last-reads.js';
import type { ClickHouseReader } from '../../store/client.js';
import type { Clause } from '../sql/clause.js';
import type { Part } from '../sql/read-together.js';
import type { DayFigures, PathFigures, QueryFigures, SearchFigures } from './search-measures.js';

/** Stored rows of a search-performance source. Days are `YYYY-MM-DD`, days of the source; a span includes both ends. */

export interface StoredSpan {
  readonly from: string;
  readonly to: string;
}

/** Number of days in "28 days" answers; they end with the last day of data. */
export const RECENT_DAYS = 28;

const SOURCE = 'website_id = {search_website_id: String} AND source_id = {search_source_id: String}';

function sourceParams({ websiteId, sourceId }: ConnectedSource) {
  return { search_website_id: websiteId, search_source_id: sourceId };
}

/** SQL of the sums over rows `t`; positions are weighted by impressions, and 0 if not reported. */
const SUMS = `sum(t.impressions) AS impressions, sum(t.clicks) AS clicks,
  if(impressions = 0, 0, sum(t.position * t.impressions) / impressions) AS position`;

/** Rows `t` of the days that satisfy a condition on `day`, from the last read of each day. */
function current(condition: string): string {
  return `t.website_id = {search_website_id: String} AND t.source_id = {search_source_id: String} AND t.${condition}
  AND (t.day, t.version) IN (SELECT day, max(version) FROM search_days WHERE ${SOURCE} AND ${condition} GROUP BY day)`;
}

const IN_SPAN = 'day BETWEEN {from: Date} AND {to: Date}';
/** The days end with the last stored day instead of today, because the source is some days behind. */
const RECENT = `day > (SELECT max(day) FROM search_days WHERE ${SOURCE}) - ${RECENT_DAYS}`;

const figures = { impressions: z.number(), clicks: z.number(), position: z.number() };

/** Stored days of the span, oldest first. @throws as ClickHouseReader.read, like all functions here */
export function readSearchDays(
  reader: ClickHouseReader,
  source: ConnectedSource,
  span: StoredSpan,
): Promise<DayFigures[]> {
  return reader.read({
    name: 'search_performance.days',
    sql: `SELECT toString(t.day) AS day, argMax(t.impressions, t.version) AS impressions, argMax(t.clicks, t.version) AS clicks, argMax(t.position, t.version) AS position
FROM search_days AS t
WHERE t.website_id = {search_website_id: String} AND t.source_id = {search_source_id: String} AND t.day BETWEEN {from: Date} AND {to: Date}
GROUP BY t.day ORDER BY t.day`,
    params: { ...sourceParams(source), ...span },
    row: z.object({ day: z.string(), ...figures }),
  });
}

/** Most clicks first, then most impressions. */
function readTop<Name extends 'path' | 'query'>(name: Name, table: string) {
  return (
    reader: ClickHouseReader,
    source: ConnectedSource,
    { from, to, limit }: StoredSpan & { readonly limit: number },
  ): Promise<(SearchFigures & Record<Name, string>)[]> =>
    reader.read({
      name: `search_performance.top_${name}`,
      sql: `SELECT t.${name} AS ${name}, ${SUMS}
FROM ${table} AS t
WHERE ${current(IN_SPAN)}
GROUP BY t.${name}
ORDER BY clicks DESC, impressions DESC, t.${name}
LIMIT {limit: UInt32}`,
      params: { ...sourceParams(source), from, to, limit },
      row: z.object({ [name]: z.string(), ...figures }) as never,
    });
}

export const readTopQueries = readTop('query', 'search_queries');
export const readTopPages = readTop('path', 'search_pages');

/** A SELECT of the pages of the last 28 days of data: path and figures. @param where a condition on `path`. */
export function recentPages(source: ConnectedSource, where?: Clause): Clause {
  return {
    sql: `SELECT t.path AS path, ${SUMS}
FROM search_pages AS t
WHERE ${current(RECENT)}${where === undefined ? '' : ` AND ${where.sql}`}
GROUP BY path`,
    params: { ...sourceParams(source), ...where?.params },
  };
}

/** Pages of the last 28 days of data, most impressions first. */
export function readRecentPages(
  reader: ClickHouseReader,
  source: ConnectedSource,
  { minImpressions, limit }: { readonly minImpressions: number; readonly limit: number },
): Promise<PathFigures[]> {
  const pages = recentPages(source);
  return reader.read({
    name: 'search_performance.recent',
    sql: `SELECT p.path AS path, p.impressions AS impressions, p.clicks AS clicks, p.position AS position
FROM (${pages.sql}) AS p
WHERE p.impressions >= {min_impressions: UInt64}
ORDER BY impressions DESC, path
LIMIT {limit: UInt32}`,
    params: { ...pages.params, min_impressions: minImpressions, limit },
    row: z.object({ path: z.string(), ...figures }),
  });
}

const readDay = { day: z.string(), version: z.number() };

/**
 * The last reads of the last 28 days of data, oldest first. Rows of a page are chosen by them in this process: a subquery costs the engine as
 * much as a statement.
 */
export function readRecentDays(reader: ClickHouseReader, source: ConnectedSource): Promise<ReadDay[]> {
  return reader.read({
    name: 'search_performance.recent_days',
    sql: `SELECT toString(d.day) AS day, max(d.version) AS version FROM search_days AS d
WHERE ${SOURCE} AND d.${RECENT}
GROUP BY d.day ORDER BY d.day`,
    params: sourceParams(source),
    row: z.object(readDay),
    restsOn: { websiteId: source.websiteId, part: 'other_tables' },
  });
}

/** The days of one page with impressions, of every read, oldest first. @param days from `readRecentDays`, at least one */
export function pageDays(
  source: ConnectedSource,
  { path, days }: { readonly path: string; readonly days: readonly ReadDay[] },
): Part<ReadDay & DayFigures> {
  return {
    sql: `SELECT toString(t.day) AS day, t.version AS version, ${SUMS}
FROM search_pages AS t
WHERE ${SOURCE} AND t.${IN_SPAN} AND t.path = {path: String}
GROUP BY t.day, t.version ORDER BY t.day`,
    params: { ...sourceParams(source), from: days[0]!.day, to: days.at(-1)!.day, path },
    row: z.object({ ...readDay, ...figures }),
    restsOn: { websiteId: source.websiteId, part: 'other_tables' },
  };
}

/** The queries of one page on 28 days, most clicks first. @param version from the source's sync. */
export function pageQueries(
  source: ConnectedSource,
  { path, version, limit }: { readonly path: string; readonly version: number; readonly limit: number },
): Part<QueryFigures> {
  return {
    sql: `SELECT t.query AS query, ${SUMS}
FROM search_page_queries AS t FINAL
WHERE t.website_id = {search_website_id: String} AND t.source_id = {search_source_id: String} AND t.version = {version: UInt64} AND t.path = {path: String}
GROUP BY query
ORDER BY clicks DESC, impressions DESC, query
LIMIT {limit: UInt32}`,
    params: { ...sourceParams(source), path, version, limit },
    row: z.object({ query: z.string(), ...figures }),
    restsOn: { websiteId: source.websiteId, part: 'other_tables' },
  };
}
