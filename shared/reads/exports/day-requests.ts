import { z } from 'zod';
import type { FileFormat } from '../../control/exports/file-format.js';
import { DAY_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { type Scope, scopeClause } from '../sql/scope.js';
import type { Column } from './export-type.js';
import { renderExport } from './render.js';
import { requestColumns, rowsOfRequests } from './single-requests.js';

/** All requests of a website's UTC day, including those of people, newest first. */

/**
 * Files of days are stored forever. So a file has no addresses if the website stores them for a limited number of days. Rows from such a
 * period have none either, even if the limit was removed later.
 */
export function dayColumns(addresses: boolean): readonly Column[] {
  return requestColumns.map((column) =>
    column.name === 'client_ip'
      ? { ...column, sql: addresses ? `if(t.address_days > 0, '', ${column.sql})` : "''" }
      : column,
  );
}

/** Prefix of all stored days of a website. */
export const daysPrefix = (websiteId: string) => `${websiteId}/requests/`;
/** @param day its start, milliseconds since the epoch. */
export const dayPrefix = (websiteId: string, day: number) =>
  `${daysPrefix(websiteId)}date=${new Date(day).toISOString().slice(0, 10)}/`;

/** @param day its start, milliseconds since the epoch. @param addresses false: the file has none. */
export function renderDay(websiteId: string, day: number, format: FileFormat, addresses: boolean) {
  return renderExport(dayColumns(addresses), rowsOfRequests(scopeOfDay(websiteId, day), []), format);
}

/** Detects changed rows of a day: late rows have a later receipt time, and erased rows reduce the count. */
export const dayMark = z.object({
  rows: z.number(),
  /** Seconds since the epoch; 0: no rows. */
  newest: z.number(),
  /** Rows whose addresses are stored for a limited number of days. */
  unaddressed: z.number(),
  /** False: the website stores addresses for a limited number of days. */
  addresses: z.boolean(),
});
export type DayMark = z.output<typeof dayMark>;

/** Reads two columns of the day. @throws as ClickHouseReader.read */
export async function readDayMark(
  reader: ClickHouseReader,
  websiteId: string,
  day: number,
): Promise<Omit<DayMark, 'addresses'>> {
  const { sql, params } = scopeClause(scopeOfDay(websiteId, day));
  const [mark] = await reader.read({
    name: 'exports.day-mark',
    sql: `SELECT count() AS rows, toUInt32(max(r.received_at)) AS newest, countIf(r.address_days > 0) AS unaddressed
      FROM requests AS r WHERE ${sql}`,
    params,
    row: dayMark.omit({ addresses: true }),
  });
  return mark!;
}

function scopeOfDay(websiteId: string, day: number): Scope {
  return { websiteId, window: { start: day, end: day + DAY_MS }, filters: {} };
}
