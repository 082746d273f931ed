import { z } from 'zod';
import type { ClickHouseReader, ClickHouseWriter } from '../clickhouse/client.js';
import { insertAllRows } from '../clickhouse/insert-all-rows.js';
import type { ConnectedSource } from '../connections/connected-source.js';
import type {
  AnalyticsDay,
  AnalyticsPage,
  AnalyticsSource,
  SessionFigures,
  ViewFigures,
} from '../web-analytics/figures.js';

/** What the jobs service writes of web analytics, and reads to know what is there. */

/** A day with everything that is told of it. */
export interface ToldDay {
  readonly totals: AnalyticsDay;
  readonly pages: readonly AnalyticsPage[];
  readonly sources: readonly AnalyticsSource[];
}

export type StoredAnalyticsDay = Omit<AnalyticsDay, 'timeZone'> & {
  /** When it was read, milliseconds since the epoch. */
  readonly version: number;
};

const storedRow = z.object({
  day: z.string(),
  version: z.number(),
  sessions: z.number(),
  engagedSessions: z.number(),
  keyEvents: z.number(),
  revenue: z.number(),
  pageviews: z.number(),
  activeUsers: z.number(),
  engagementSecs: z.number(),
  currency: z.string(),
});

/** The days that are stored whole, oldest first. @throws as ClickHouseReader.read */
export function readStoredAnalyticsDays(
  reader: ClickHouseReader,
  { websiteId, sourceId }: ConnectedSource,
): Promise<StoredAnalyticsDay[]> {
  return reader.read({
    name: 'analytics_days.stored',
    sql: `SELECT toString(d.day) AS day, d.version AS version, d.sessions AS sessions, d.engaged_sessions AS engagedSessions,
  d.key_events AS keyEvents, d.revenue AS revenue, d.pageviews AS pageviews, d.active_users AS activeUsers,
  d.engagement_secs AS engagementSecs, d.currency AS currency
FROM analytics_days AS d FINAL
WHERE d.website_id = {website_id: String} AND d.source_id = {source_id: String}
ORDER BY d.day`,
    params: { website_id: websiteId, source_id: sourceId },
    row: storedRow,
  });
}

/**
 * Stores a day in place of what stood there: its pages and sources, and then the totals, from which on they count.
 * @param version later than that of every earlier time: milliseconds since the epoch.
 * @throws as ClickHouseWriter.insert
 */
export async function writeAnalyticsDay(
  writer: ClickHouseWriter,
  { websiteId, sourceId }: ConnectedSource,
  version: number,
  { totals, pages, sources }: ToldDay,
): Promise<void> {
  const of = { website_id: websiteId, source_id: sourceId, day: totals.day, version };
  await insertAllRows(writer, websiteId, {
    table: 'analytics_pages',
    rows: pages.map((page) => ({
      ...{ ...of, path: page.path, ...sessionColumns(page), ...viewColumns(page) },
      ...{ ai_sessions: page.aiSessions, search_sessions: page.searchSessions },
    })),
  });
  await insertAllRows(writer, websiteId, {
    table: 'analytics_sources',
    rows: sources.map((one) => ({
      ...{ ...of, source: one.source, medium: one.medium, ai_operator: one.aiOperator },
      ...sessionColumns(one),
    })),
  });
  const { currency, timeZone } = totals;
  await insertAllRows(writer, websiteId, {
    table: 'analytics_days',
    rows: [{ ...of, ...sessionColumns(totals), ...viewColumns(totals), currency, time_zone: timeZone }],
  });
}

function sessionColumns({ sessions, engagedSessions, keyEvents, revenue }: SessionFigures) {
  return { sessions, engaged_sessions: engagedSessions, key_events: keyEvents, revenue };
}

function viewColumns({ pageviews, activeUsers, engagementSecs }: ViewFigures) {
  return { pageviews, active_users: activeUsers, engagement_secs: engagementSecs };
}
