import type { RawRequest } from '../raw-request.js';

/**
 * Requests of a block as columns: a dictionary of distinct texts, and an id per row. Ingest and the enricher work on
 * columns, so that each distinct text is processed once per block.
 */

/** In the order of the encoding. */
export const textNames = [
  'client_ip',
  'method',
  'host',
  'target',
  'protocol',
  'user_agent',
  'referrer',
  'request_id',
  'content_type',
  'cache_status',
  'source_country',
  'cdn_bot_category',
] as const satisfies readonly (keyof RawRequest)[];
export type TextName = (typeof textNames)[number];

/** Creates a value for each text column. */
export function byTextName<Value>(make: (name: TextName) => Value): Record<TextName, Value> {
  return Object.fromEntries(textNames.map((name) => [name, make(name)])) as Record<TextName, Value>;
}

export type Ids = Uint8Array | Uint16Array | Uint32Array;

/** Copies the ids into the narrowest array for this number of texts. */
export function narrowIds(ids: Uint32Array, texts: number): Ids {
  if (texts <= 2 ** 8) return Uint8Array.from(ids);
  if (texts <= 2 ** 16) return Uint16Array.from(ids);
  return ids.slice();
}

export interface TextColumn {
  /** Distinct texts, in the order of first occurrence. */
  readonly texts: readonly string[];
  /** By row, the index in `texts`. */
  readonly ids: Ids;
}

/**
 * Represents null in {@link NumberColumns.time_taken_ms} and {@link NumberColumns.source_asn}, whose values never reach
 * it.
 */
export const NONE = 2 ** 32 - 1;

/** Numeric fields of requests, by row. */
export interface NumberColumns {
  /** Milliseconds since the epoch. */
  readonly timestamp: Float64Array;
  readonly status: Uint16Array;
  readonly bytes_sent: Float64Array;
  readonly time_taken_ms: Uint32Array;
  readonly source_asn: Uint32Array;
}

export interface RequestColumns extends NumberColumns {
  readonly rows: number;
  readonly texts: Readonly<Record<TextName, TextColumn>>;
}

/* Loops by index, without callbacks: a number above 31 bits that is passed to a function becomes a heap object. */

export function areAllNone(values: Uint32Array): boolean {
  for (let row = 0; row < values.length; row += 1) if (values[row] !== NONE) return false;
  return true;
}

/** @param times at least one; milliseconds since the epoch, as the result. */
export function earliestOf(times: Float64Array): number {
  let earliest = times[0]!;
  for (let row = 1; row < times.length; row += 1) earliest = Math.min(earliest, times[row]!);
  return earliest;
}

/** @param times at least one */
export function latestOf(times: Float64Array): number {
  let latest = times[0]!;
  for (let row = 1; row < times.length; row += 1) latest = Math.max(latest, times[row]!);
  return latest;
}

/** The request of a row. */
export function requestAt({ texts, ...columns }: RequestColumns, row: number): RawRequest {
  const text = (name: TextName) => texts[name].texts[texts[name].ids[row]!]!;
  const timeTaken = columns.time_taken_ms[row]!;
  const asn = columns.source_asn[row]!;
  return {
    timestamp: columns.timestamp[row]!,
    client_ip: text('client_ip'),
    method: text('method'),
    host: text('host'),
    target: text('target'),
    protocol: text('protocol'),
    status: columns.status[row]!,
    bytes_sent: columns.bytes_sent[row]!,
    time_taken_ms: timeTaken === NONE ? null : timeTaken,
    user_agent: text('user_agent'),
    referrer: text('referrer'),
    request_id: text('request_id'),
    content_type: text('content_type'),
    cache_status: text('cache_status'),
    source_country: text('source_country'),
    source_asn: asn === NONE ? null : asn,
    cdn_bot_category: text('cdn_bot_category'),
  };
}

/** All requests as objects. */
export function requestsOf(columns: RequestColumns): RawRequest[] {
  return Array.from({ length: columns.rows }, (_, row) => requestAt(columns, row));
}

/** Total characters of the texts of all rows. */
export function expandedTextLength({ rows, texts }: RequestColumns): number {
  let length = 0;
  for (const name of textNames) {
    const { texts: each, ids } = texts[name];
    if (each.length === 1) length += rows * each[0]!.length;
    else for (let row = 0; row < rows; row += 1) length += each[ids[row]!]!.length;
  }
  return length;
}
