import { bytesOf } from '../../../shared/requests/columns/bytes-of.js';
import type { Encoded, EntryColumn } from './column.js';
import { createDictionary, type Dictionary } from './dictionary.js';
import { createNumberList } from './number-list.js';

/** Columns of texts that rows share. */

/** For few distinct values: each is in the dictionary once. */
export function lowCardinality(): EntryColumn<string> {
  const codes = createNumberList(Uint32Array);
  const keys = new Map<string, number>();
  const dictionary = createDictionary();
  let marked = 0;
  let sinceMark: string[] = [];
  let last = '';
  let lastCode = -1;
  return {
    add(value) {
      // Neighbours are often equal, and a comparison costs less than a hash.
      if (value === last && lastCode >= 0) {
        codes.push(lastCode);
        return;
      }
      let code = keys.get(value);
      if (code === undefined) {
        code = dictionary.add(value);
        keys.set(value, code);
        sinceMark.push(value);
      }
      last = value;
      lastCode = code;
      codes.push(code);
    },
    mark() {
      marked = codes.size;
      sinceMark = [];
    },
    undo() {
      codes.truncate(marked);
      for (const key of sinceMark) keys.delete(key);
      sinceMark = [];
      lastCode = -1;
      dictionary.truncate(keys.size);
    },
    clear() {
      codes.truncate(0);
      marked = 0;
      keys.clear();
      sinceMark = [];
      last = '';
      lastCode = -1;
      dictionary.truncate(0);
    },
    get room() {
      return codes.room + dictionary.room;
    },
    encode: (entryOf) => asDictionary(dictionary, entryOf, codes.values),
  };
}

/**
 * For any values, in a column of type String or LowCardinality(String). It uses a dictionary with at most
 * half as many texts as rows, else one text per row. Equal texts of two entries are in the dictionary twice,
 * since finding them would cost more. Only the empty text is shared.
 */
export function text(): EntryColumn<string> {
  const codes = createNumberList(Uint32Array);
  const dictionary = createDictionary();
  let empty = -1;
  let marked = 0;
  let markedTexts = 0;
  return {
    add(value) {
      if (value !== '') codes.push(dictionary.add(value));
      else {
        if (empty < 0) empty = dictionary.add('');
        codes.push(empty);
      }
    },
    mark() {
      marked = codes.size;
      markedTexts = dictionary.size;
    },
    undo() {
      codes.truncate(marked);
      dictionary.truncate(markedTexts);
      if (empty >= markedTexts) empty = -1;
    },
    clear() {
      codes.truncate(0);
      dictionary.truncate(0);
      marked = 0;
      markedTexts = 0;
      empty = -1;
    },
    get room() {
      return codes.room + dictionary.room;
    },
    encode(entryOf) {
      if (dictionary.size <= entryOf.length / 2) return asDictionary(dictionary, entryOf, codes.values);
      return { type: 'String', parts: dictionary.inRows(codesOf(Uint32Array, entryOf, codes.values)) };
    },
  };
}

/** SharedDictionariesWithAdditionalKeys, the only existing version. */
const DICTIONARY_VERSION = 1;
/** The block contains the dictionary, which replaces an earlier one. */
const OWN_DICTIONARY = 0x600;

function asDictionary(dictionary: Dictionary, entryOf: Uint32Array, codes: Uint32Array): Encoded {
  const [width, of] = indexType(dictionary.size);
  return {
    type: 'LowCardinality(String)',
    parts: [
      littleEndian64(DICTIONARY_VERSION, OWN_DICTIONARY | width, dictionary.size),
      dictionary.bytes(),
      littleEndian64(entryOf.length),
      bytesOf(codesOf(of, entryOf, codes)),
    ],
  };
}

type Indexes = Uint8Array | Uint16Array | Uint32Array;

/** The engine's number of the narrowest index type, and its array type. */
function indexType(keys: number): [number, new (length: number) => Indexes] {
  if (keys <= 2 ** 8) return [0, Uint8Array];
  if (keys <= 2 ** 16) return [1, Uint16Array];
  return [2, Uint32Array];
}

function codesOf<Codes extends Indexes>(
  of: new (length: number) => Codes,
  entryOf: Uint32Array,
  codes: Uint32Array,
): Codes {
  const rows = new of(entryOf.length);
  for (let row = 0; row < rows.length; row += 1) rows[row] = codes[entryOf[row]!]!;
  return rows;
}

function littleEndian64(...values: number[]): Buffer {
  const buffer = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, 8 * index);
  return buffer;
}
