import type { z } from 'zod';
import type { ConnectedSource } from '../../connections/connected-source.js';
import type { ClickHouseReader, ClickHouseWriter } from '../../store/client.js';
import { insertAllRows } from '../../store/insert-all-rows.js';
import type { RowValue } from '../../store/insert-rows.js';
import { inSnakeCase, number, storedFields, text } from '../../store/stored-fields.js';
import type { AnalyticsDay, AnalyticsPage, SessionSource } from './analytics-measures.js';

/** Writes of web analytics by the jobs service, and the reads for which days are stored. */

/** A day with all its figures. */
export interface CompleteAnalyticsDay {
  readonly totals: AnalyticsDay;
  readonly pages: readonly AnalyticsPage[];
  readonly sources: readonly SessionSource[];
}

const stored = storedFields({
  day: { ...text, sql: (column: string) => `toString(${column})` },
  version: number,
  sessions: number,
  engagedSessions: number,
  keyEvents: number,
  revenue: number,
  pageviews: number,
  activeUsers: number,
  engagementSecs: number,
  currency: text,
});
/** `version`: time of the read, milliseconds since the epoch. */
export type StoredAnalyticsDay = Readonly<z.output<typeof stored.row>>;

/** The completely stored days, oldest first. @throws as ClickHouseReader.read */
export function readStoredAnalyticsDays(
  reader: ClickHouseReader,
  { websiteId, sourceId }: ConnectedSource,
): Promise<StoredAnalyticsDay[]> {
  return reader.read({
    name: 'analytics_days.stored',
    sql: `SELECT ${stored.columns('d.')}
FROM analytics_days AS d FINAL
WHERE d.website_id = {website_id: String} AND d.source_id = {source_id: String}
ORDER BY d.day`,
    params: { website_id: websiteId, source_id: sourceId },
    row: stored.row,
  });
}

/**
 * Replaces a day. The pages and sources are written first. The totals are written last and make the day count.
 * @param version greater than that of every earlier write: milliseconds since the epoch.
 */
export async function writeAnalyticsDay(
  writer: ClickHouseWriter,
  { websiteId, sourceId }: ConnectedSource,
  version: number,
  { totals, pages, sources }: CompleteAnalyticsDay,
): Promise<void> {
  const of = { website_id: websiteId, source_id: sourceId, day: totals.day, version };
  const insert = (table: string, rows: readonly Readonly<Record<string, RowValue>>[]) =>
    insertAllRows(writer, websiteId, { table, rows: rows.map((row) => ({ ...of, ...inSnakeCase(row) })) });
  await insert(
    'analytics_pages',
    pages.map((page) => ({ ...page })),
  );
  await insert(
    'analytics_sources',
    sources.map((source) => ({ ...source })),
  );
  await insert('analytics_days', [{ ...totals }]);
}
