import { bytesOf } from '../../../shared/requests/columns/bytes-of.js';
import { requireWithin, WORD } from '../../../shared/requests/columns/require-within.js';
import type { Encoded, RowColumn } from './column.js';

/** Columns of numbers that differ between rows. They are written directly, and encoding copies nothing. */

function unsigned(type: string, codes: Uint16Array | Uint32Array): RowColumn {
  const most = 2 ** (8 * codes.BYTES_PER_ELEMENT) - 1;
  return {
    gather(from, rows, values) {
      for (let at = 0; at < rows.length; at += 1)
        codes[from + at] = requireWithin(type, values[rows[at]!]!, 0, most);
    },
    encode: (rows) => ({ type, parts: [bytesOf(codes.subarray(0, rows))] }),
  };
}

/** @param capacity most rows; rows beyond it are lost, here and below */
export const uint16Rows = (capacity: number) => unsigned('UInt16', new Uint16Array(capacity));
export function uint32Rows(capacity: number): RowColumn & { set(from: number, values: Uint32Array): void } {
  const codes = new Uint32Array(capacity);
  return { ...unsigned('UInt32', codes), set: (from, values) => codes.set(values, from) };
}

/** 0 or 1. */
export function boolRows(capacity: number): RowColumn {
  const codes = new Uint8Array(capacity);
  return {
    gather(from, rows, values) {
      for (let at = 0; at < rows.length; at += 1)
        codes[from + at] = requireWithin('Bool', values[rows[at]!]!, 0, 1);
    },
    encode: (rows) => ({ type: 'Bool', parts: [bytesOf(codes.subarray(0, rows))] }),
  };
}

/** 64-bit integers within the range that a number represents exactly. */
function int64(type: string, capacity: number, least: number, most: number): RowColumn {
  const words = new Uint32Array(2 * capacity);
  return {
    gather(from, rows, values) {
      for (let at = 0; at < rows.length; at += 1) {
        const value = requireWithin(type, values[rows[at]!]!, least, most);
        const high = Math.floor(value / WORD);
        words[2 * (from + at)] = value - high * WORD;
        words[2 * (from + at) + 1] = high;
      }
    },
    encode: (rows): Encoded => ({ type, parts: [bytesOf(words.subarray(0, 2 * rows))] }),
  };
}

export const uint64Rows = (capacity: number) => int64('UInt64', capacity, 0, Number.MAX_SAFE_INTEGER);
/** Milliseconds since the epoch, within the type's years: 1900 to 2299. */
export const dateTime64Rows = (capacity: number) =>
  int64("DateTime64(3, 'UTC')", capacity, Date.UTC(1900, 0, 1), Date.UTC(2300, 0, 1) - 1);

/** @param none the value that represents null */
export function nullableUint32Rows(capacity: number, none: number): RowColumn {
  const nulls = new Uint8Array(capacity);
  const numbers = new Uint32Array(capacity);
  return {
    gather(from, rows, values) {
      for (let at = 0; at < rows.length; at += 1) {
        const value = values[rows[at]!]!;
        const isNull = value === none;
        nulls[from + at] = isNull ? 1 : 0;
        numbers[from + at] = isNull ? 0 : requireWithin('UInt32', value, 0, WORD - 1);
      }
    },
    encode: (rows): Encoded => ({
      type: 'Nullable(UInt32)',
      parts: [bytesOf(nulls.subarray(0, rows)), bytesOf(numbers.subarray(0, rows))],
    }),
  };
}
