import type { SharedCodes } from './columns.js';

/** Numbers the groups of rows in order of their first row. */
export interface Groups {
  /** Writes the group of each row. @param time index of the rows' time @param columns their keys */
  number(time: number, columns: readonly SharedCodes[], rows: Uint32Array, groups: Uint32Array): void;
  count(): number;
  /** Index of the time of a group. */
  timeOf(group: number): number;
  /** Code of a group's key. @param index of the key */
  codeOf(group: number, index: number): number;
}

/** Up to this number of combinations of codes, an array has an element for each. It is much faster than a map. */
const MOST_ELEMENTS = 2 ** 18;

/** @param times their number @param sizes number of codes of each key. @returns null: there are too many combinations. */
export function createGroups(times: number, sizes: readonly number[]): Groups | null {
  const combinations = sizes.reduce((product, size) => product * size, times);
  if (combinations > Number.MAX_SAFE_INTEGER) return null;
  const numbers = combinations <= MOST_ELEMENTS ? numbersInArray(combinations) : numbersInMap();
  // Number of the combinations of the later keys.
  const laterOf = sizes.map((_, index) =>
    sizes.slice(index + 1).reduce((product, size) => product * size, 1),
  );
  const perTime = sizes.reduce((product, size) => product * size, 1);
  let keys = new Float64Array(0);
  return {
    number(time, columns, rows, groups) {
      if (keys.length < rows.length) keys = new Float64Array(rows.length);
      const own = keys.subarray(0, rows.length).fill(time);
      for (const [index, column] of columns.entries()) addKey(own, column, sizes[index]!, rows);
      numbers.numberAll(own, groups);
    },
    count: () => numbers.keys.length,
    timeOf: (group) => Math.floor(numbers.keys[group]! / perTime),
    codeOf: (group, index) => Math.floor(numbers.keys[group]! / laterOf[index]!) % sizes[index]!,
  };
}

interface Numbers {
  /** Key of each group. */
  readonly keys: readonly number[];
  numberAll(keys: Float64Array, groups: Uint32Array): void;
}

function numbersInArray(size: number): Numbers {
  // 0: none yet.
  const numberOf = new Uint32Array(size);
  const known: number[] = [];
  return {
    keys: known,
    numberAll(keys, groups) {
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index]!;
        let number = numberOf[key]!;
        if (number === 0) {
          number = known.push(key);
          numberOf[key] = number;
        }
        groups[index] = number - 1;
      }
    },
  };
}

function numbersInMap(): Numbers {
  const numberOf = new Map<number, number>();
  const known: number[] = [];
  return {
    keys: known,
    numberAll(keys, groups) {
      for (let index = 0; index < keys.length; index++) {
        const key = keys[index]!;
        let group = numberOf.get(key);
        if (group === undefined) {
          group = known.push(key) - 1;
          numberOf.set(key, group);
        }
        groups[index] = group;
      }
    },
  };
}

function addKey(keys: Float64Array, { codes, map }: SharedCodes, size: number, rows: Uint32Array): void {
  if (map === null)
    for (let index = 0; index < keys.length; index++)
      keys[index] = keys[index]! * size + codes[rows[index]!]!;
  else
    for (let index = 0; index < keys.length; index++)
      keys[index] = keys[index]! * size + map[codes[rows[index]!]!]!;
}

/** The numbers from 0, as rows of any block. It grows when a longer block is read. */
let allRows = new Uint32Array(0);

/** The rows of a block from `from` up to `to`, without `to`. @param passing those that pass the filters, in order; null: all */
export function rowsInRange(passing: Uint32Array | null, from: number, to: number): Uint32Array {
  if (passing !== null) return passing.subarray(firstFrom(passing, from), firstFrom(passing, to));
  if (allRows.length < to) allRows = new Uint32Array(2 * to).map((_, row) => row);
  return allRows.subarray(from, to);
}

/** Index of the first of the sorted rows from `from` on. */
function firstFrom(rows: Uint32Array, from: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
