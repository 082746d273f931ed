import { bytesOf } from '../../../shared/requests/columns/bytes-of.js';
import { requireWithin, WORD } from '../../../shared/requests/columns/require-within.js';
import type { Encoded, EntryColumn } from './column.js';
import { ipv6Bytes } from './ipv6-bytes.js';
import { createNumberList } from './number-list.js';

/** Columns of numbers and addresses that rows share. Little-endian, like every platform of Node. */

type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * A column whose entries are stored as numbers, their codes.
 * @param codeOf throws if the type cannot represent the value
 */
function coded<Value>(
  type: string,
  of: new (length: number) => Codes,
  codeOf: (value: Value) => number,
): EntryColumn<Value> {
  const codes = createNumberList(of);
  let marked = 0;
  return {
    add: (value) => codes.push(codeOf(value)),
    mark() {
      marked = codes.size;
    },
    undo: () => codes.truncate(marked),
    clear() {
      codes.truncate(0);
      marked = 0;
    },
    get room() {
      return codes.room;
    },
    encode(entryOf): Encoded {
      const { values } = codes;
      const rows = new of(entryOf.length);
      for (let row = 0; row < rows.length; row += 1) rows[row] = values[entryOf[row]!]!;
      return { type, parts: [bytesOf(rows)] };
    },
  };
}

function unsigned(type: string, of: new (length: number) => Codes, most: number): EntryColumn<number> {
  return coded(type, of, (value) => requireWithin(type, value, 0, most));
}

export const uint16 = () => unsigned('UInt16', Uint16Array, 2 ** 16 - 1);
export const uint32 = () => unsigned('UInt32', Uint32Array, WORD - 1);
/** Seconds since the epoch. */
export const dateTime = () => unsigned("DateTime('UTC')", Uint32Array, WORD - 1);
export const bool = (): EntryColumn<boolean> => coded('Bool', Uint8Array, (value) => (value ? 1 : 0));

/** 64-bit integers within the range that a number represents exactly. */
export function uint64(): EntryColumn<number> {
  const numbers = createNumberList(Float64Array);
  let marked = 0;
  return {
    add: (value) => numbers.push(requireWithin('UInt64', value, 0, Number.MAX_SAFE_INTEGER)),
    mark() {
      marked = numbers.size;
    },
    undo: () => numbers.truncate(marked),
    clear() {
      numbers.truncate(0);
      marked = 0;
    },
    get room() {
      return numbers.room;
    },
    encode(entryOf): Encoded {
      const { values } = numbers;
      const words = new Uint32Array(2 * entryOf.length);
      for (let row = 0; row < entryOf.length; row += 1) {
        const value = values[entryOf[row]!]!;
        const high = Math.floor(value / WORD);
        words[2 * row] = value - high * WORD;
        words[2 * row + 1] = high;
      }
      return { type: 'UInt64', parts: [bytesOf(words)] };
    },
  };
}

const ADDRESS_BYTES = 16;
/** Words of 32 bits. */
const ADDRESS_WORDS = 4;

/** Addresses in text form; IPv4 is stored as ::ffff:a.b.c.d. Invalid addresses are errors. */
export function ipv6(): EntryColumn<string> {
  let bytes = new Uint8Array(64 * ADDRESS_BYTES);
  let size = 0;
  let marked = 0;
  return {
    add(value) {
      if (ADDRESS_BYTES * size === bytes.length) {
        const larger = new Uint8Array(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
      ipv6Bytes(value, bytes, ADDRESS_BYTES * size);
      size += 1;
    },
    mark() {
      marked = size;
    },
    undo() {
      size = marked;
    },
    clear() {
      size = 0;
      marked = 0;
    },
    get room() {
      return bytes.length;
    },
    encode(entryOf): Encoded {
      const from = new Uint32Array(bytes.buffer);
      const words = new Uint32Array(ADDRESS_WORDS * entryOf.length);
      let to = 0;
      for (let row = 0; row < entryOf.length; row += 1) {
        const entry = ADDRESS_WORDS * entryOf[row]!;
        words[to] = from[entry]!;
        words[to + 1] = from[entry + 1]!;
        words[to + 2] = from[entry + 2]!;
        words[to + 3] = from[entry + 3]!;
        to += ADDRESS_WORDS;
      }
      return { type: 'IPv6', parts: [bytesOf(words)] };
    },
  };
}
