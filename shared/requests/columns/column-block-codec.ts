import { readAvroType } from '../../schemas/versioned-avro.js';
import { bytesOf } from './bytes-of.js';
import type { BuiltColumns, BuiltText } from './column-builder.js';
import {
  areAllNone,
  byTextName,
  earliestOf,
  type Ids,
  NONE,
  narrowIds,
  type RequestColumns,
  type TextColumn,
  type TextName,
  textNames,
} from './request-columns.js';

/** Avro encoding of a column block (requests.raw.v1.avsc). raw-block-codec.ts defines the header of the record. */

export interface ColumnBlock {
  readonly website_id: string;
  readonly source: string;
  readonly upload_id: string;
  /** Milliseconds since the epoch. */
  readonly received_at: number;
  readonly columns: RequestColumns;
}

interface WrittenText {
  dictionary: Buffer;
  lengths: Buffer;
  ids: Buffer;
}

/** Contains no Avro lists: the decoder would read a list with a forged length to that length. */
interface Envelope extends Record<TextName, WrittenText> {
  website_id: string;
  source: string;
  upload_id: string;
  received_at: number;
  first: number;
  timestamps: Buffer;
  statuses: Buffer;
  bytes_sent: Buffer;
  time_taken_ms: Buffer;
  source_asn: Buffer;
}

const type = readAvroType('requests.raw', 1);
const MOST_32 = 2 ** 32 - 1;

/** Fields of a block other than the columns. */
export type ColumnBlockHead = Omit<ColumnBlock, 'columns'>;

/**
 * Writes Avro into `scratch` from `from`. @returns the end, or the negated number of missing bytes if it does not fit.
 */
export function writeColumnBlock(
  head: ColumnBlockHead,
  columns: BuiltColumns,
  scratch: Buffer,
  from: number,
): number {
  const first = columns.rows === 0 ? 0 : earliestOf(columns.timestamp);
  const envelope: Envelope = {
    ...head,
    first,
    timestamps: wholeNumbers(differences(columns.timestamp, first)),
    statuses: bytesOf(columns.status),
    bytes_sent: wholeNumbers(columns.bytes_sent),
    time_taken_ms: orNone(columns.time_taken_ms),
    source_asn: orNone(columns.source_asn),
    ...byTextName((name) => writeText(columns.texts[name])),
  };
  return type.encode(envelope, scratch, from);
}

/** Total bytes of the texts of all rows: at least their number of characters. */
export function expandedTextBytes({ rows, texts }: BuiltColumns): number {
  let bytes = 0;
  for (const name of textNames) {
    const { dictionary, ids } = texts[name];
    const lengths = dictionary.lengths();
    if (lengths.length === 1) bytes += rows * lengths[0]!;
    else for (let row = 0; row < rows; row += 1) bytes += lengths[ids[row]!]!;
  }
  return bytes;
}

/** Different texts of all columns, beyond the first of each: a column that has the same text in each row counts none. */
export function differentTexts({ texts }: BuiltColumns): number {
  return textNames.reduce((sum, name) => sum + Math.max(0, texts[name].dictionary.size - 1), 0);
}

function differences(times: Float64Array, first: number): Float64Array {
  const since = new Float64Array(times.length);
  for (let row = 0; row < times.length; row += 1) since[row] = times[row]! - first;
  return since;
}

/** As 4-byte integers if all fit, else as doubles. */
function wholeNumbers(values: Float64Array): Buffer {
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row]!;
    if (!(value >= 0 && value <= MOST_32)) return bytesOf(values);
  }
  return bytesOf(new Uint32Array(values));
}

function orNone(values: Uint32Array): Buffer {
  return areAllNone(values) ? NOTHING : bytesOf(values);
}

const NOTHING = Buffer.alloc(0);

function writeText({ dictionary, ids }: BuiltText): WrittenText {
  const bytes = dictionary.bytes();
  if (dictionary.size === 1) return { dictionary: bytes, lengths: NOTHING, ids: NOTHING };
  return {
    dictionary: bytes,
    lengths: bytesOf(dictionary.lengths()),
    ids: bytesOf(narrowIds(ids, dictionary.size)),
  };
}

/**
 * @param rows number announced in the record
 * @throws Error that describes the malformed bytes
 */
export function readColumnBlock(avro: Buffer, rows: number): ColumnBlock {
  const written = type.fromBuffer(avro) as Envelope;
  const timestamp = readWhole(written.timestamps, rows);
  for (let row = 0; row < rows; row += 1) timestamp[row]! += written.first;
  return {
    website_id: written.website_id,
    source: written.source,
    upload_id: written.upload_id,
    received_at: written.received_at,
    columns: {
      rows,
      timestamp,
      status: read(Uint16Array, written.statuses, rows),
      bytes_sent: readWhole(written.bytes_sent, rows),
      time_taken_ms: readOrNone(written.time_taken_ms, rows),
      source_asn: readOrNone(written.source_asn, rows),
      texts: byTextName((name) => readText(written[name], rows)),
    },
  };
}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Copies, since bytes of a record are not aligned. */
function read<Values extends Numbers>(
  of: { new (buffer: ArrayBuffer): Values; readonly BYTES_PER_ELEMENT: number },
  bytes: Buffer,
  count: number,
): Values {
  if (bytes.length !== count * of.BYTES_PER_ELEMENT)
    throw new Error(`${bytes.length} bytes for ${count} numbers`);
  const copy = new ArrayBuffer(bytes.length);
  bytes.copy(new Uint8Array(copy));
  return new of(copy);
}

/** @throws Error for a fraction or a negative number, which would wrap in the store's column. */
function readWhole(bytes: Buffer, rows: number): Float64Array {
  if (bytes.length === 4 * rows) return new Float64Array(read(Uint32Array, bytes, rows));
  const values = read(Float64Array, bytes, rows);
  for (let row = 0; row < rows; row += 1)
    if (!(Number.isSafeInteger(values[row]) && values[row]! >= 0)) throw new Error('not a whole number');
  return values;
}

function readOrNone(bytes: Buffer, rows: number): Uint32Array {
  return bytes.length === 0 ? new Uint32Array(rows).fill(NONE) : read(Uint32Array, bytes, rows);
}

function readText({ dictionary, lengths, ids }: WrittenText, rows: number): TextColumn {
  if (lengths.length === 0 && ids.length === 0) {
    return { texts: rows === 0 ? [] : [dictionary.toString()], ids: new Uint8Array(rows) };
  }
  if (lengths.length % 4 !== 0) throw new Error('half a length');
  const texts = cutTexts(dictionary, read(Uint32Array, lengths, lengths.length / 4));
  return { texts, ids: readIds(ids, rows, texts.length) };
}

function cutTexts(dictionary: Buffer, lengths: Uint32Array): string[] {
  const whole = dictionary.toString();
  const isPlain = whole.length === dictionary.length;
  const texts: string[] = [];
  let from = 0;
  for (let at = 0; at < lengths.length; at += 1) {
    const to = from + lengths[at]!;
    if (to > dictionary.length) throw new Error('texts are longer than their dictionary');
    texts.push(isPlain ? whole.slice(from, to) : dictionary.toString('utf8', from, to));
    from = to;
  }
  if (from !== dictionary.length) throw new Error('texts are shorter than their dictionary');
  return texts;
}

function readIds(bytes: Buffer, rows: number, texts: number): Ids {
  const of = texts <= 2 ** 8 ? Uint8Array : texts <= 2 ** 16 ? Uint16Array : Uint32Array;
  const ids = read<Ids>(of, bytes, rows);
  let most = -1;
  for (let row = 0; row < rows; row += 1) if (ids[row]! > most) most = ids[row]!;
  if (most >= texts) throw new Error('an id of no text');
  return ids;
}
