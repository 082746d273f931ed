import type { RawRequest } from '../raw-request.js';
import { type ByteDictionary, createByteDictionary } from './byte-dictionary.js';
import { createNumberColumns, firstRows, setNumbers } from './number-columns.js';
import { putTexts } from './put-texts.js';
import { byTextName, NONE, type NumberColumns, type TextName, textNames } from './request-columns.js';

/**
 * Builds the columns of a block of the log. Requests are added one by one, or as columns of rows that a reader has found in bytes: both share the
 * dictionaries.
 */
export interface ColumnBuilder {
  readonly rows: number;
  /** @throws RangeError where a number does not fit, and past the capacity; the request is not there then. */
  add(request: RawRequest): void;
  /** Adds the first rows of those that were found. @throws RangeError past the capacity; none of them is there then. */
  addFound(found: FoundRows, rows: number): void;
  /** Gives every row that is later this time, in milliseconds since the epoch. */
  noLaterThan(latest: number): void;
  /** What was added: views, good until the next change. */
  columns(): BuiltColumns;
  clear(): void;
}

/** Rows that a reader has found in bytes, as columns. Numbers are as {@link ColumnBuilder.add} takes them; null is {@link NONE}. */
export interface FoundRows extends Omit<NumberColumns, 'source_asn'> {
  /** A column that is not here has the text '' in each row. */
  readonly texts: Readonly<Partial<Record<TextName, FoundTexts>>>;
}

/** Numbers of each text in {@link FoundTexts.spans}. */
export const SPAN_NUMBERS = 4;

/** Texts of ASCII, each once, in the order in which they came first. */
export interface FoundTexts {
  readonly view: DataView;
  /** For each text its first index in the view, the one behind it, its hash (hash-bytes.ts), and 1 where it is known to be valid (a host, an address). */
  readonly spans: Int32Array;
  /** By row, the place of its text. */
  readonly ids: Uint16Array;
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
    add(request) {
      const at = row.at;
      if (at === capacity) throw new RangeError(`more than ${capacity} requests`);
      setNumbers(numbers, at, request);
      putTexts(columns, request);
      row.at += 1;
    },
    addFound(found, rows) {
      const at = row.at;
      if (at + rows > capacity) throw new RangeError(`more than ${capacity} requests`);
      numbers.timestamp.set(found.timestamp.subarray(0, rows), at);
      numbers.status.set(found.status.subarray(0, rows), at);
      numbers.bytes_sent.set(found.bytes_sent.subarray(0, rows), at);
      numbers.time_taken_ms.set(found.time_taken_ms.subarray(0, rows), at);
      numbers.source_asn.fill(NONE, at, at + rows);
      for (const name of textNames) columns[name].putFound(found.texts[name], rows);
      row.at += rows;
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

/** A column of texts: each call is of the row that is being added. */
interface TextColumnBuilder extends BuiltText {
  put(text: string): void;
  /** Gives the next rows their texts; undefined: ''. */
  putFound(found: FoundTexts | undefined, rows: number): void;
  clear(): void;
}

function createTextBuilder(capacity: number, row: { readonly at: number }): TextColumnBuilder {
  const dictionary = createByteDictionary(capacity);
  const ids = new Uint32Array(capacity);
  /** By the id of a found text, its place here. */
  const placeOfFound = new Uint32Array(capacity);
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

  /** A text that comes first has the next id: its place is looked up then. */
  function putFoundIds({ view, spans, ids: foundIds }: FoundTexts, rows: number): void {
    let known = 0;
    for (let at = 0, into = row.at; at < rows; at += 1, into += 1) {
      const id = foundIds[at]!;
      if (id === known) {
        const span = SPAN_NUMBERS * id;
        placeOfFound[id] = dictionary.placeOf(view, spans[span]!, spans[span + 1]!, spans[span + 2]!);
        known += 1;
      }
      ids[into] = placeOfFound[id]!;
    }
  }

  return {
    dictionary,
    ids,
    putFound(found, rows) {
      const from = row.at;
      if (found === undefined) ids.fill(placeOf(''), from, from + rows);
      else putFoundIds(found, rows);
    },
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
