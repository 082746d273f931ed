import type { RawRequest } from '../raw-request.js';
import { type ByteDictionary, createByteDictionary } from './byte-dictionary.js';
import { createNumberColumns, firstRows, setNumbers } from './number-columns.js';
import { putTexts } from './put-texts.js';
import { byTextName, NONE, type NumberColumns, type TextName, textNames } from './request-columns.js';

/**
 * Builds the columns of a block of the log. Requests are added one by one, or as the texts and numbers that a reader has found in the bytes of a
 * line: both share the dictionaries.
 */
export interface ColumnBuilder {
  readonly rows: number;
  readonly texts: Readonly<Record<TextName, TextBuilder>>;
  /** @throws RangeError where a number does not fit, and past the capacity; the request is not there then. */
  add(request: RawRequest): void;
  /** Adds a row of numbers; each column of {@link texts} must have got its text before. Numbers as {@link add} takes them; null is {@link NONE}. */
  addNumbers(timestamp: number, status: number, bytesSent: number, timeTakenMs: number): void;
  /** Gives every row that is later this time, in milliseconds since the epoch. */
  noLaterThan(latest: number): void;
  /** What was added: views, good until the next change. */
  columns(): BuiltColumns;
  clear(): void;
}

/** A column of texts: each call is of the row that is being added. */
export interface TextBuilder {
  /** Gives the row this text. */
  put(text: string): void;
  /** Gives the row this text of ASCII. @param hash hashBytes of the same bytes */
  putBytes(bytes: DataView, from: number, to: number, hash: number): void;
  /** Whether the block has the text in this column already. */
  has(bytes: DataView, from: number, to: number, hash: number): boolean;
}

export interface BuiltColumns extends NumberColumns {
  readonly rows: number;
  readonly texts: Readonly<Record<TextName, BuiltText>>;
}

export interface BuiltText {
  readonly dictionary: ByteDictionary;
  /** By row, the place of its text. */
  readonly ids: Uint32Array;
}

/** @param capacity most rows */
export function createColumnBuilder(capacity: number): ColumnBuilder {
  const numbers = createNumberColumns(capacity);
  const row = { at: 0 };
  const columns = byTextName(() => createTextBuilder(capacity, row));
  const all = textNames.map((name) => columns[name]);

  return {
    get rows() {
      return row.at;
    },
    texts: columns,
    add(request) {
      const at = row.at;
      if (at === capacity) throw new RangeError(`more than ${capacity} requests`);
      setNumbers(numbers, at, request);
      putTexts(columns, request);
      row.at += 1;
    },
    addNumbers(timestamp, status, bytesSent, timeTakenMs) {
      const at = row.at;
      numbers.timestamp[at] = timestamp;
      numbers.status[at] = status;
      numbers.bytes_sent[at] = bytesSent;
      numbers.time_taken_ms[at] = timeTakenMs;
      numbers.source_asn[at] = NONE;
      row.at += 1;
    },
    noLaterThan(latest) {
      const { timestamp } = numbers;
      for (let at = 0; at < row.at; at += 1) if (timestamp[at]! > latest) timestamp[at] = latest;
    },
    columns: () => ({
      rows: row.at,
      ...firstRows(numbers, row.at),
      texts: byTextName((name) => ({
        dictionary: columns[name].dictionary,
        ids: columns[name].ids.subarray(0, row.at),
      })),
    }),
    clear() {
      for (const column of all) column.clear();
      row.at = 0;
    },
  };
}

interface TextColumnBuilder extends TextBuilder, BuiltText {
  clear(): void;
}

function createTextBuilder(capacity: number, row: { readonly at: number }): TextColumnBuilder {
  const dictionary = createByteDictionary(capacity);
  const ids = new Uint32Array(capacity);
  /** Places of texts that came as strings. */
  const places = new Map<string, number>();
  let last = '';
  let lastPlace = -1;

  function placeOf(text: string): number {
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = dictionary.placeOfText(text);
    places.set(text, place);
    return place;
  }

  return {
    dictionary,
    ids,
    putBytes(bytes, from, to, hash) {
      ids[row.at] = dictionary.placeOf(bytes, from, to, hash);
    },
    has: (bytes, from, to, hash) => dictionary.find(bytes, from, to, hash) !== -1,
    put(text) {
      // Neighbours are often equal, and comparing costs less than hashing.
      if (text !== last || lastPlace === -1) {
        lastPlace = placeOf(text);
        last = text;
      }
      ids[row.at] = lastPlace;
    },
    clear() {
      dictionary.clear();
      places.clear();
      last = '';
      lastPlace = -1;
    },
  };
}
