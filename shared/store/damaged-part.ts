import { z } from 'zod';

/** What of the store can't be read: a part is the folder of some rows of a table. */
export interface DamagedPart {
  /** Id of its table in the store's folders. */
  readonly tableId: string;
  readonly name: string;
}

/** UTC days, `2026-11-28`; the same twice where it is one day. */
export interface PartRange {
  readonly table: string;
  readonly first: string | null;
  readonly last: string | null;
}

/**
 * Codes of ClickHouse for files that end too early (32, 33), that are not what was written (40, 117, 246, 271, 432) or that can't be opened or read (74, 76, 107,
 * 226). Rows of an insert may bring some of them about: only a message that names a part is of the store.
 */
const damageCodes = new Set(['32', '33', '40', '74', '76', '107', '117', '226', '246', '271', '432']);

/** `…/store/0b3/0b3474a2-519f-4eb7-9f93-d5c92a915411/202610_4_4_0/`; the folder before it may have any name. */
const partPath = /\/store\/[0-9a-f]{3}\/([0-9a-f-]{36})\/([\w-]{1,200})\//;

/** The part that a statement failed on; null where it failed for another reason. */
export function damagedPart(code: string, message: string): DamagedPart | null {
  const found = damageCodes.has(code) ? partPath.exec(message) : null;
  return found === null ? null : { tableId: found[1]!, name: found[2]! };
}

/** Reads which days a part has rows of (a `Query` of client.ts); no row where the part is there no more. */
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

/** In words; of a part whose days are not known the month, which most names begin with. */
export function daysInWords({ name }: Pick<DamagedPart, 'name'>, range: PartRange | null): string | null {
  if (range?.first != null && range.last != null)
    return range.first === range.last ? range.first : `${range.first} to ${range.last}`;
  const month = /^(\d{4})(\d{2})_/.exec(name);
  return month === null ? null : `${month[1]}-${month[2]}`;
}
