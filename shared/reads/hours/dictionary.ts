import type { ColumnName, Value } from './kept-rollups.js';

/** Numbers the values of a column for all blocks of a website, so that a read compares numbers instead of texts. */
export interface Dictionary {
  /** The value of each code. It only grows, so that blocks and running reads can refer to it. */
  readonly values: readonly Value[];
  /** Adds the value if it is new. */
  codeOf(value: Value): number;
  /** undefined: no block has the value. */
  find(value: unknown): number | undefined;
}

/** The dictionaries of a website. */
export interface Dictionaries {
  of(column: ColumnName): Dictionary;
  /** Memory of all values, in bytes. */
  bytes(): number;
}

/** Overhead of a value besides its text: its entries in a list and in a map. */
const VALUE_BYTES = 80;

export function createDictionaries(): Dictionaries {
  const dictionaries = new Map<ColumnName, Dictionary>();
  let bytes = 0;
  return {
    of(column) {
      let dictionary = dictionaries.get(column);
      if (dictionary === undefined) {
        dictionary = createDictionary((value) => {
          bytes += VALUE_BYTES + Buffer.byteLength(String(value));
        });
        dictionaries.set(column, dictionary);
      }
      return dictionary;
    },
    bytes: () => bytes,
  };
}

/** @param onValue is called for each new value */
function createDictionary(onValue: (value: Value) => void): Dictionary {
  const values: Value[] = [];
  const codes = new Map<Value, number>();
  return {
    values,
    find: (value) => codes.get(value as Value),
    codeOf(value) {
      let code = codes.get(value);
      if (code === undefined) {
        code = values.push(value) - 1;
        codes.set(value, code);
        onValue(value);
      }
      return code;
    },
  };
}
