import type { Ids } from '../../../shared/requests/columns/request-columns.js';

/** The values of a column by row: `ids` are below `count`. */
export interface IdColumn {
  readonly ids: Ids;
  readonly count: number;
}

/** Groups of rows that are equal in all of some columns. */
export interface GroupedRows extends IdColumn {
  /** For each group, one of its rows. */
  readonly rows: Uint32Array;
}

/**
 * Groups rows by several columns. Its time is proportional to the rows and the columns' counts for any
 * values: rows are sorted by counting, without hashes.
 */
export function groupRows(rows: number, columns: readonly IdColumn[]): GroupedRows {
  const telling = columns.filter(({ count }) => count > 1);
  const [first, ...others] = telling;
  if (first === undefined)
    return { ids: new Uint8Array(rows), count: Math.min(rows, 1), rows: new Uint32Array(Math.min(rows, 1)) };
  const joined = others.reduce((left, right) => join(rows, left, right), first);
  return { ...joined, rows: rowOfEach(joined) };
}

function join(rows: number, left: IdColumn, right: IdColumn): IdColumn {
  const ids = new Uint32Array(rows);
  // Both arrays are indexed by the id in `right`: the last id of `left` that came with it, and the group of the two.
  const metWith = new Int32Array(right.count).fill(-1);
  const groupOf = new Uint32Array(right.count);
  const sorted = sortedByValue(rows, left);
  let count = 0;
  for (let at = 0; at < rows; at += 1) {
    const row = sorted[at]!;
    const value = left.ids[row]!;
    const other = right.ids[row]!;
    if (metWith[other] !== value) {
      metWith[other] = value;
      groupOf[other] = count;
      count += 1;
    }
    ids[row] = groupOf[other]!;
  }
  return { ids, count };
}

function sortedByValue(rows: number, { ids, count }: IdColumn): Uint32Array {
  const ends = new Uint32Array(count + 1);
  for (let row = 0; row < rows; row += 1) ends[ids[row]! + 1]! += 1;
  for (let value = 0; value < count; value += 1) ends[value + 1]! += ends[value]!;
  const sorted = new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) sorted[ends[ids[row]!]!++] = row;
  return sorted;
}

function rowOfEach({ ids, count }: IdColumn): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = ids.length - 1; row >= 0; row -= 1) rows[ids[row]!] = row;
  return rows;
}
