import type { SharedCodes } from './columns.js';

/** Numbers the groups of rows in order of their first row. */
export interface Groups {
  /**
   * Writes the groups of rows into `groupOf`, the first row into its place `at`.
   * @param place of the rows in time @param columns their keys
   */
  number(place: number, columns: readonly SharedCodes[], rows: GroupedRange): void;
  count(): number;
  all(): { readonly place: number; readonly codes: readonly number[] }[];
}

export interface GroupedRange {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  /** -1: the row is filtered out. */
  readonly groupOf: Int32Array;
  /** 1 for each row that passes the filters; null: all. */
  readonly passing: Uint8Array | null;
}

/** @param sizes number of codes of each key. @returns null: the keys have too many combinations. */
export function createGroups(places: number, sizes: readonly number[]): Groups | null {
  if (sizes.reduce((product, size) => product * size, places) > Number.MAX_SAFE_INTEGER) return null;
  const numberOf = new Map<number, number>();
  const keys: number[] = [];
  return {
    number(place, columns, { from, to, at, groupOf, passing }) {
      const keysOf = new Float64Array(to - from).fill(place);
      for (const [index, column] of columns.entries()) addKey(keysOf, column, sizes[index]!, from);
      for (let row = from; row < to; row++) {
        if (passing !== null && passing[row] === 0) {
          groupOf[at + row - from] = -1;
          continue;
        }
        const key = keysOf[row - from]!;
        let group = numberOf.get(key);
        if (group === undefined) {
          group = keys.push(key) - 1;
          numberOf.set(key, group);
        }
        groupOf[at + row - from] = group;
      }
    },
    count: () => keys.length,
    all: () => keys.map((key) => codesOf(key, sizes)),
  };
}

function addKey(keys: Float64Array, { codes, map }: SharedCodes, size: number, from: number): void {
  for (let index = 0; index < keys.length; index++)
    keys[index] = keys[index]! * size + map[codes[from + index]!]!;
}

function codesOf(key: number, sizes: readonly number[]) {
  let rest = key;
  const codes = sizes.toReversed().map((size) => {
    const code = rest % size;
    rest = Math.floor(rest / size);
    return code;
  });
  return { place: rest, codes: codes.reverse() };
}
