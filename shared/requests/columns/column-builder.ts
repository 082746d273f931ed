import type { RawRequest } from '../raw-request.js';
import { type ByteDictionary, createByteDictionary } from './byte-dictionary.js';
import { createNumberColumns, firstRows, setNumbers } from './number-columns.js';
import { putTexts } from './put-texts.js';
import { byTextName, NONE, type NumberColumns, type TextName, textNames } from './request-columns.js';
import type { Spans } from './spans.js';

/**
 * Builds the columns of a log block. Requests are added one by one, or as columns of rows that a reader found in bytes.
 * Both share the dictionaries.
 */
export interface ColumnBuilder {
  readonly rows: number;
  /** @throws RangeError if a number does not fit, or if the block is full. The request is then not added. */
  add(request: RawRequest): void;
  /**
   * Adds the first rows found in bytes, up to the first refused new client address.
   * @param view bytes to which the spans refer
   * @returns number of added rows
   * @throws RangeError if the block is full; no row is then added
   */
  addFound(view: DataView, found: FoundRows, rows: number, isAddress: (text: string) => boolean): number;
  /** Reduces all later timestamps to `latest`, milliseconds since the epoch. */
  noLaterThan(latest: number): void;
  /** The added rows: views, valid until the next change. */
  columns(): BuiltColumns;
  clear(): void;
}

/** Rows that a reader found in bytes, as columns. Numbers are as in {@link ColumnBuilder.add}; null is {@link NONE}. */
export interface FoundRows extends Omit<NumberColumns, 'source_asn'> {
  /** A missing column has '' in each row. */
  readonly spans: Readonly<Partial<Record<TextName, Spans>>>;
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

/** @param capacity largest number of rows */
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
    addFound(view, found, rows, isAddress) {
      const at = row.at;
      if (at + rows > capacity) throw new RangeError(`more than ${capacity} requests`);
      const right = columns.client_ip.putFound(view, found.spans.client_ip, rows, isAddress);
      for (const name of textNames)
        if (name !== 'client_ip') columns[name].putFound(view, found.spans[name], right);
      numbers.timestamp.set(found.timestamp.subarray(0, right), at);
      numbers.status.set(found.status.subarray(0, right), at);
      numbers.bytes_sent.set(found.bytes_sent.subarray(0, right), at);
      numbers.time_taken_ms.set(found.time_taken_ms.subarray(0, right), at);
      numbers.source_asn.fill(NONE, at, at + right);
      row.at += right;
      return right;
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

/** A text column. Calls apply to the row being added. */
interface TextColumnBuilder extends BuiltText {
  put(text: string): void;
  /**
   * Sets the texts of the next rows, up to the first new one that `isRight` refuses.
   * @param spans undefined: ''
   * @returns number of rows with a text
   */
  putFound(
    view: DataView,
    spans: Spans | undefined,
    rows: number,
    isRight?: (text: string) => boolean,
  ): number;
  clear(): void;
}

function createTextBuilder(capacity: number, row: { readonly at: number }): TextColumnBuilder {
  const dictionary = createByteDictionary(capacity);
  const ids = new Uint32Array(capacity);
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
    putFound(view, spans, rows, isRight) {
      // The dictionary has room for one text per row, so none is added without a row.
      if (rows === 0) return 0;
      if (spans !== undefined) return dictionary.placeRows(view, spans, rows, ids.subarray(row.at), isRight);
      ids.fill(placeOf(''), row.at, row.at + rows);
      return rows;
    },
    put(text) {
      // Adjacent texts are often equal, and comparing costs less than hashing.
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
