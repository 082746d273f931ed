import type { SharedCodes } from './columns.js';

/** Numbers the groups of rows in order of their first row. */
export interface Groups {
  /** @param place of the row in time @param columns its keys */
  of(place: number, columns: readonly SharedCodes[], row: number): number;
  count(): number;
  all(): { readonly place: number; readonly codes: readonly number[] }[];
}

/** @param sizes number of codes of each key. @returns null: the keys have too many combinations. */
export function createGroups(places: number, sizes: readonly number[]): Groups | null {
  if (sizes.reduce((product, size) => product * size, places) > Number.MAX_SAFE_INTEGER) return null;
  const numberOf = new Map<number, number>();
  const keys: number[] = [];
  return {
    of(place, columns, row) {
      let key = place;
      for (let index = 0; index < sizes.length; index++) {
        const { codes, map } = columns[index]!;
        key = key * sizes[index]! + map[codes[row]!]!;
      }
      let group = numberOf.get(key);
      if (group === undefined) {
        group = keys.push(key) - 1;
        numberOf.set(key, group);
      }
      return group;
    },
    count: () => keys.length,
    all: () => keys.map((key) => codesOf(key, sizes)),
  };
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
