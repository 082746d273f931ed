import { bytesOf, type Column, type Encoded } from './column.js';
import { coded, usedCodes } from './columns.js';
import { createTextBuffer, type TextBuffer } from './text-buffer.js';

/** Columns of texts. The bytes are kept and not the texts, which would hold the whole records that they were cut from. */

/** For few values: each stands once in the dictionary. */
export function lowCardinality(capacity: number): Column<string> {
  const codes = new Uint32Array(capacity);
  const keys = new Map<string, number>();
  const dictionary = createDictionary();
  return {
    ...coded(codes, (value: string) => {
      let code = keys.get(value);
      if (code === undefined) {
        code = dictionary.add(value);
        keys.set(value, code);
      }
      return code;
    }),
    truncate(rows) {
      dictionary.truncate(usedCodes(codes, rows));
      for (const [key, code] of keys) if (code >= dictionary.size) keys.delete(key);
    },
    encode: (rows) => asDictionary(dictionary, codes.subarray(0, rows)),
  };
}

/**
 * For any values, into a column of type String: as a dictionary, which the engine writes out, or row by row where a dictionary would save nothing. A value of two
 * blocks stands in it twice, since looking for it would cost more.
 */
export function text(capacity: number): Column<string> {
  const codes = new Uint32Array(capacity);
  const dictionary = createDictionary();
  return {
    ...coded(codes, dictionary.add),
    truncate: (rows) => dictionary.truncate(usedCodes(codes, rows)),
    encode: (rows) =>
      dictionary.size > rows / 2
        ? { type: 'String', parts: [dictionary.inRows(codes.subarray(0, rows))] }
        : asDictionary(dictionary, codes.subarray(0, rows)),
  };
}

interface Dictionary {
  readonly size: number;
  /** @returns its place. @throws TypeError for what is no text. */
  add(value: string): number;
  truncate(size: number): void;
  bytes(): Buffer;
  /** The bytes of the texts at these places, one behind the other. */
  inRows(codes: Uint32Array): Buffer;
}

function createDictionary(): Dictionary {
  const texts: TextBuffer = createTextBuffer();
  let ends = new Float64Array(64);
  let size = 0;
  const endOf = (place: number) => (place < 0 ? 0 : ends[place]!);
  return {
    get size() {
      return size;
    },
    add(value) {
      if (typeof value !== 'string')
        throw new TypeError(`a text is wanted, not a value of type ${typeof value}`);
      if (size === ends.length) {
        const larger = new Float64Array(2 * size);
        larger.set(ends);
        ends = larger;
      }
      texts.add(value);
      ends[size] = texts.length;
      size += 1;
      return size - 1;
    },
    truncate(remaining) {
      size = Math.min(size, remaining);
      texts.truncate(endOf(size - 1));
    },
    bytes: () => texts.bytes(),
    inRows(codes) {
      let length = 0;
      for (const code of codes) length += endOf(code) - endOf(code - 1);
      const bytes = Buffer.allocUnsafe(length);
      const from = texts.bytes();
      let at = 0;
      for (const code of codes) at += from.copy(bytes, at, endOf(code - 1), endOf(code));
      return bytes;
    },
  };
}

/** SharedDictionariesWithAdditionalKeys, the only version there is. */
const DICTIONARY_VERSION = 1;
/** The dictionary comes with the block and replaces any before it. */
const OWN_DICTIONARY = 0x600;

function asDictionary(dictionary: Dictionary, codes: Uint32Array): Encoded {
  const [width, narrowed] = narrow(codes, dictionary.size);
  return {
    type: 'LowCardinality(String)',
    parts: [
      littleEndian64(DICTIONARY_VERSION, OWN_DICTIONARY | width, dictionary.size),
      dictionary.bytes(),
      littleEndian64(codes.length),
      bytesOf(narrowed),
    ],
  };
}

/** The engine's number of the index type, and the indexes in it. */
function narrow(codes: Uint32Array, keys: number): [number, ArrayBufferView] {
  if (keys <= 2 ** 8) return [0, Uint8Array.from(codes)];
  if (keys <= 2 ** 16) return [1, Uint16Array.from(codes)];
  return [2, codes];
}

function littleEndian64(...values: number[]): Buffer {
  const buffer = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 8 * index);
  return buffer;
}
