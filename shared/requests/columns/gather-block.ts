import type { RawRequest } from '../raw-request.js';
import { type ByteDictionary, createByteDictionary } from './byte-dictionary.js';
import { byTextName, NONE, type TextName, textNames } from './request-columns.js';

/**
 * Gathers the requests of a block as the columns that are written into the log. Requests come one by one, or as the bytes of a line whose texts
 * a reader has found: both share the dictionaries.
 */
export interface BlockGatherer {
  readonly rows: number;
  readonly texts: Readonly<Record<TextName, GatheredText>>;
  /** @throws RangeError where a number does not fit, and past the capacity; the request is not there then. */
  add(request: RawRequest): void;
  /** Adds a row of numbers; each column of {@link texts} must have got its text before. Numbers as {@link add} takes them; null is {@link NONE}. */
  addNumbers(timestamp: number, status: number, bytesSent: number, timeTakenMs: number): void;
  /** Gives every row that is later this time, in milliseconds since the epoch. */
  noLaterThan(latest: number): void;
  /** What was gathered: views, good until the next change. */
  columns(): GatheredColumns;
  clear(): void;
}

/** A column of texts, of the row that is being gathered. */
export interface GatheredText {
  /** Gives the row this text. */
  put(text: string): void;
  /** Gives the row this text of ASCII. @param hash hashBytes of the same bytes */
  putBytes(bytes: DataView, from: number, to: number, hash: number): void;
  /** Whether the block has the text in this column already. */
  has(bytes: DataView, from: number, to: number, hash: number): boolean;
}

export interface GatheredColumns {
  readonly rows: number;
  readonly timestamp: Float64Array;
  readonly status: Uint16Array;
  readonly bytes_sent: Float64Array;
  readonly time_taken_ms: Uint32Array;
  readonly source_asn: Uint32Array;
  readonly texts: Readonly<Record<TextName, GatheredColumn>>;
}

export interface GatheredColumn {
  readonly dictionary: ByteDictionary;
  /** By row, the place of its text. */
  readonly ids: Uint32Array;
}

/** @param capacity most rows */
export function createBlockGatherer(capacity: number): BlockGatherer {
  const timestamp = new Float64Array(capacity);
  const status = new Uint16Array(capacity);
  const bytesSent = new Float64Array(capacity);
  const timeTaken = new Uint32Array(capacity);
  const asn = new Uint32Array(capacity);
  const row = { at: 0 };
  const columns = byTextName(() => createTextColumn(capacity, row));
  const all = textNames.map((name) => columns[name]);

  return {
    get rows() {
      return row.at;
    },
    texts: columns,
    add(request) {
      const at = row.at;
      if (at === capacity) throw new RangeError(`more than ${capacity} requests`);
      timestamp[at] = within('timestamp', request.timestamp, Number.MAX_SAFE_INTEGER);
      status[at] = within('status', request.status, 2 ** 16 - 1);
      bytesSent[at] = within('bytes_sent', request.bytes_sent, Number.MAX_SAFE_INTEGER);
      timeTaken[at] = within('time_taken_ms', request.time_taken_ms ?? NONE, NONE);
      asn[at] = within('source_asn', request.source_asn ?? NONE, NONE);
      columns.client_ip.put(request.client_ip);
      columns.method.put(request.method);
      columns.host.put(request.host);
      columns.target.put(request.target);
      columns.protocol.put(request.protocol);
      columns.user_agent.put(request.user_agent);
      columns.referrer.put(request.referrer);
      columns.request_id.put(request.request_id);
      columns.content_type.put(request.content_type);
      columns.cache_status.put(request.cache_status);
      columns.source_country.put(request.source_country);
      columns.cdn_bot_category.put(request.cdn_bot_category);
      row.at += 1;
    },
    addNumbers(time, code, bytes, milliseconds) {
      const at = row.at;
      timestamp[at] = time;
      status[at] = code;
      bytesSent[at] = bytes;
      timeTaken[at] = milliseconds;
      asn[at] = NONE;
      row.at += 1;
    },
    noLaterThan(latest) {
      for (let at = 0; at < row.at; at += 1) if (timestamp[at]! > latest) timestamp[at] = latest;
    },
    columns: () => ({
      rows: row.at,
      timestamp: timestamp.subarray(0, row.at),
      status: status.subarray(0, row.at),
      bytes_sent: bytesSent.subarray(0, row.at),
      time_taken_ms: timeTaken.subarray(0, row.at),
      source_asn: asn.subarray(0, row.at),
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

interface TextColumn extends GatheredText, GatheredColumn {
  clear(): void;
}

function createTextColumn(capacity: number, row: { readonly at: number }): TextColumn {
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

/** Where a typed array would wrap it, it would come back as another number. */
function within(name: string, value: number, most: number): number {
  if (value >= 0 && value <= most && Number.isInteger(value)) return value;
  throw new RangeError(`${name} ${value} does not fit into its column`);
}
