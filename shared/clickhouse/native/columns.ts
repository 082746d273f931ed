import { bytesOf, type Column, type Encoded, type Gather } from './column.js';
import { ipv6Bytes } from './ipv6-bytes.js';

/** Columns of numbers and addresses. Little-endian, as every platform of Node is. */

type Codes = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** What is written of a row is a number, its code. @param codeOf throws where the type can't hold the value. */
export function coded<Value>(
  codes: Codes,
  codeOf: (value: Value) => number,
): Pick<Column<Value>, 'fill' | 'gather'> {
  return {
    fill(from, count, value) {
      codes.fill(codeOf(value), from, from + count);
    },
    gather(from, { rows, ids, count, valueAt }: Gather<Value>) {
      if (ids === null) {
        for (let at = 0; at < rows.length; at += 1) codes[from + at] = codeOf(valueAt(rows[at]!));
        return;
      }
      // Only of values that a row has: of the others nothing is to be sent. 0: not known yet.
      const known = new Float64Array(count);
      for (let at = 0; at < rows.length; at += 1) {
        const id = ids[rows[at]!]!;
        if (known[id] === 0) known[id] = codeOf(valueAt(id)) + 1;
        codes[from + at] = known[id]! - 1;
      }
    },
  };
}

/** NaN and fractions lie in no range either. */
function requireWithin(type: string, value: number, least: number, most: number): number {
  if (value >= least && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${value} does not fit into ${type}`);
}

/** Nothing is kept but codes by row. */
const plain = { truncate() {} };

function unsigned(type: string, codes: Uint8Array | Uint16Array | Uint32Array): Column<number> {
  const most = 2 ** (8 * codes.BYTES_PER_ELEMENT) - 1;
  return {
    ...coded(codes, (value: number) => requireWithin(type, value, 0, most)),
    ...plain,
    encode: (rows) => ({ type, parts: [bytesOf(codes.subarray(0, rows))] }),
  };
}

export const uint16 = (capacity: number) => unsigned('UInt16', new Uint16Array(capacity));
export const uint32 = (capacity: number) => unsigned('UInt32', new Uint32Array(capacity));
/** Seconds since the epoch. */
export const dateTime = (capacity: number) => unsigned("DateTime('UTC')", new Uint32Array(capacity));

export function bool(capacity: number): Column<boolean> {
  const codes = new Uint8Array(capacity);
  return {
    ...coded(codes, (value: boolean) => (value ? 1 : 0)),
    ...plain,
    encode: (rows) => ({ type: 'Bool', parts: [bytesOf(codes.subarray(0, rows))] }),
  };
}

const WORD = 2 ** 32;

/** Integers of 64 bits as far as a number holds them exactly. */
function int64(type: string, capacity: number, least: number, most: number): Column<number> {
  const codes = new Float64Array(capacity);
  return {
    ...coded(codes, (value: number) => requireWithin(type, value, least, most)),
    ...plain,
    encode(rows): Encoded {
      const words = new Uint32Array(2 * rows);
      for (let row = 0; row < rows; row += 1) {
        const high = Math.floor(codes[row]! / WORD);
        words[2 * row] = codes[row]! - high * WORD;
        words[2 * row + 1] = high;
      }
      return { type, parts: [bytesOf(words)] };
    },
  };
}

export const uint64 = (capacity: number) => int64('UInt64', capacity, 0, Number.MAX_SAFE_INTEGER);
/** Milliseconds since the epoch, of the years that the type holds: 1900 to 2299. */
export const dateTime64 = (capacity: number) =>
  int64("DateTime64(3, 'UTC')", capacity, Date.UTC(1900, 0, 1), Date.UTC(2300, 0, 1) - 1);

export function nullableUint32(capacity: number): Column<number | null> {
  const NULL = -1;
  const codes = new Float64Array(capacity);
  return {
    ...coded(codes, (value: number | null) =>
      value === null ? NULL : requireWithin('UInt32', value, 0, WORD - 1),
    ),
    ...plain,
    encode(rows): Encoded {
      const nulls = new Uint8Array(rows);
      const values = new Uint32Array(rows);
      for (let row = 0; row < rows; row += 1) {
        if (codes[row] === NULL) nulls[row] = 1;
        else values[row] = codes[row]!;
      }
      return { type: 'Nullable(UInt32)', parts: [bytesOf(nulls), bytesOf(values)] };
    },
  };
}

/** Words of 32 bits. */
const ADDRESS_WORDS = 4;

/** Addresses in their text form; IPv4 is stored as ::ffff:a.b.c.d. What is none is an error. */
export function ipv6(capacity: number): Column<string> {
  const codes = new Uint32Array(capacity);
  let addresses = new Uint32Array(ADDRESS_WORDS * 64);
  let known = 0;
  return {
    ...coded(codes, (value: string) => {
      if (ADDRESS_WORDS * (known + 1) > addresses.length) {
        const larger = new Uint32Array(2 * addresses.length);
        larger.set(addresses);
        addresses = larger;
      }
      ipv6Bytes(value, bytesOf(addresses), 4 * ADDRESS_WORDS * known);
      known += 1;
      return known - 1;
    }),
    truncate(rows) {
      known = usedCodes(codes, rows);
    },
    encode(rows): Encoded {
      const words = new Uint32Array(ADDRESS_WORDS * rows);
      for (let row = 0; row < rows; row += 1) {
        const from = ADDRESS_WORDS * codes[row]!;
        for (let word = 0; word < ADDRESS_WORDS; word += 1)
          words[ADDRESS_WORDS * row + word] = addresses[from + word]!;
      }
      return { type: 'IPv6', parts: [bytesOf(words)] };
    },
  };
}

/** Codes count up as values come first: those of the first rows are the first ones. */
export function usedCodes(codes: Uint32Array, rows: number): number {
  let used = 0;
  for (let row = 0; row < rows; row += 1) if (codes[row]! >= used) used = codes[row]! + 1;
  return used;
}
