import { z } from 'zod';

/** An unreadable part of the store. A part is the folder of some rows of a table. */
export interface DamagedPart {
  /** Id of its table in the store's folders. */
  readonly tableId: string;
  readonly name: string;
}

/** UTC days, `2026-11-28`; both equal for a single day. */
export interface PartRange {
  readonly table: string;
  readonly first: string | null;
  readonly last: string | null;
}

/**
 * ClickHouse's codes for files that are truncated (32, 33), corrupted (40, 117, 246, 271, 432), or cannot be opened or
 * read (74, 76, 107, 226). Rows of an insert can cause some of them; only a message with a part concerns the store.
 */
const damageCodes = new Set(['32', '33', '40', '74', '76', '107', '117', '226', '246', '271', '432']);

/** `…/store/0b3/0b3474a2-519f-4eb7-9f93-d5c92a915411/202610_4_4_0/`; the folder before it may have any name. */
const partPath = /\/store\/[0-9a-f]{3}\/([0-9a-f-]{36})\/([\w-]{1,200})\//;

/** The part on which a statement failed; null if it failed for another reason. */
export function damagedPart(code: string, message: string): DamagedPart | null {
  const found = damageCodes.has(code) ? partPath.exec(message) : null;
  return found === null ? null : { tableId: found[1]!, name: found[2]! };
}

/** Query for the days of a part's rows (a `Query` of client.ts); no row if the part no longer exists. */
export function rangeQuery({ tableId, name }: DamagedPart) {
  const day = (edge: 'min' | 'max') =>
    `nullIf(toString(greatest(toDate(${edge}_time, 'UTC'), ${edge}_date)), '1970-01-01')`;
  return {
    name: 'store.damaged_part',
    sql: `SELECT table, ${day('min')} AS first, ${day('max')} AS last FROM system.parts
WHERE endsWith(path, {place: String}) LIMIT 1`,
    params: { place: `/${tableId}/${name}/` },
    row: z.object({ table: z.string(), first: z.string().nullable(), last: z.string().nullable() }),
  };
}

/** Days of a part as text; if unknown, the month, with which most names begin. */
export function daysInWords({ name }: Pick<DamagedPart, 'name'>, range: PartRange | null): string | null {
  if (range?.first != null && range.last != null)
    return range.first === range.last ? range.first : `${range.first} to ${range.last}`;
  const month = /^(\d{4})(\d{2})_/.exec(name);
  return month === null ? null : `${month[1]}-${month[2]}`;
}
