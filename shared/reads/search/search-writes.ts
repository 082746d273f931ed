import type { ConnectedSource } from '../../connections/connected-source.js';
import type { ClickHouseWriter } from '../../store/client.js';
import { insertAllRows } from '../../store/insert-all-rows.js';
import type {
  DayFigures,
  PageQueryFigures,
  PathFigures,
  QueryFigures,
  SearchFigures,
} from './search-measures.js';

/** Writes of a search-performance source by the jobs service. */

/**
 * Replaces a day. The pages and queries are written first. The totals are written last and make the day count.
 * @param version greater than that of every earlier write: milliseconds since the epoch.
 */
export async function writeSearchDay(
  writer: ClickHouseWriter,
  { websiteId, sourceId }: ConnectedSource,
  version: number,
  {
    totals,
    pages,
    queries,
  }: {
    readonly totals: DayFigures;
    readonly pages: readonly PathFigures[];
    readonly queries: readonly QueryFigures[];
  },
): Promise<void> {
  const of = { website_id: websiteId, source_id: sourceId, day: totals.day, version };
  const rowsOf = (figures: readonly SearchFigures[]) => figures.map((row) => ({ ...of, ...row }));
  await insertAllRows(writer, websiteId, { table: 'search_pages', rows: rowsOf(pages) });
  await insertAllRows(writer, websiteId, { table: 'search_queries', rows: rowsOf(queries) });
  await insertAllRows(writer, websiteId, { table: 'search_days', rows: rowsOf([totals]) });
}

/** The queries of each page on 28 days; they count once the source's sync names the version. @throws as ClickHouseWriter.insert */
export async function writePageQueries(
  writer: ClickHouseWriter,
  { websiteId, sourceId }: ConnectedSource,
  { version, through }: { readonly version: number; readonly through: string },
  rows: readonly PageQueryFigures[],
): Promise<void> {
  const of = { website_id: websiteId, source_id: sourceId, version, through };
  const all = rows.map((row) => ({ ...of, ...row }));
  await insertAllRows(writer, websiteId, { table: 'search_page_queries', rows: all });
}
