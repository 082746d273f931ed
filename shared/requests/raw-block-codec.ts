import { createHash } from 'node:crypto';
import { readAvroType } from '../schemas/versioned-avro.js';
import {
  type ColumnBlock,
  type ColumnBlockHead,
  expandedTextBytes,
  readColumnBlock,
  writeColumnBlock,
} from './columns/column-block-codec.js';
import { type ColumnBuilder, createColumnBuilder } from './columns/column-builder.js';
import { expandedTextLength, requestsOf } from './columns/request-columns.js';
import { toColumns } from './columns/to-columns.js';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming its form, the number of requests (four bytes, big-endian: a
 * consumer plans its ranges by it without decoding), then by the form a deduplication id (16 bytes) or the bytes that its texts
 * have when each stands in its row (four bytes), then Avro. A reader knows every form that may still stand in the log.
 *
 * A block is written as columns (form 5), which takes a quarter of the bytes. A deduplicated one, of an upload that has an upload key, is still
 * written request by request: its id is made of these bytes, and a repeat must have the same, whichever release writes it. It takes the
 * first schema where no request has what the second added.
 */

/** Forms by their first byte. Deduplicated: a block that has a deduplication id. */
const forms = {
  1: { schema: 1, deduplicated: false },
  2: { schema: 1, deduplicated: true },
  3: { schema: 2, deduplicated: false },
  4: { schema: 2, deduplicated: true },
  5: { schema: 3, deduplicated: false },
} as const;
type Form = keyof typeof forms;
const COUNT_END = 5;
const ID_BYTES = 16;
const ID_END = COUNT_END + ID_BYTES;
const LENGTH_END = COUNT_END + 4;
const types = { 1: readAvroType('requests.raw', 1), 2: readAvroType('requests.raw', 2) };
/** Gives what the second schema added its default. */
const fromFirst = types[2].createResolver(types[1]);

/** Which block of which upload this is: the same each time that the upload is sent. */
export interface BlockIdentity {
  /** Digest of what names the upload: its website and its idempotency key. */
  readonly uploadKey: string;
  /** Place of the block in its upload, from 0. */
  readonly index: number;
}

/** Written to first, as a block's size is known only afterwards: `toBuffer` would encode each one twice. */
let scratch = Buffer.allocUnsafe(1024 * 1024);

/** @param identity null: the block gets no deduplication id. */
export function encodeRawBlock(block: RawBlock, identity: BlockIdentity | null = null): Buffer {
  if (identity === null) return encodeColumns(block);
  const value = encodeDeduplicated(block);
  deduplicationIdOf(block, identity, value.subarray(ID_END)).copy(value, COUNT_END);
  return value;
}

/**
 * The block in the place of another. It keeps the deduplication id, though its requests are fewer (erasure) or have other
 * times (services/ingest/records/accepted-times.ts): a repeat of what it was must still be told.
 * @param value what stood there: a record that {@link decodeRawBlock} reads.
 */
export function replaceRawBlock(value: Buffer, block: RawBlock): Buffer {
  if (!isDeduplicated(value)) return encodeColumns(block);
  const replaced = encodeDeduplicated(block);
  value.copy(replaced, COUNT_END, COUNT_END, ID_END);
  return replaced;
}

/** All but the deduplication id, whose place is left free. */
function encodeDeduplicated(block: RawBlock): Buffer {
  const isSecond = block.requests.some(({ cdn_bot_category }) => cdn_bot_category !== '');
  const type = types[isSecond ? 2 : 1];
  const value = write(ID_END, (into) => type.encode(block, into, ID_END));
  value[0] = isSecond ? 4 : 2;
  value.writeUInt32BE(block.requests.length, 1);
  return value;
}

function encodeColumns({ requests, ...head }: RawBlock): Buffer {
  const builder = createColumnBuilder(requests.length);
  for (const request of requests) builder.add(request);
  return encodeColumnBlock(head, builder);
}

/** A block of what was built, without a deduplication id. */
export function encodeColumnBlock(head: ColumnBlockHead, builder: ColumnBuilder): Buffer {
  const columns = builder.columns();
  const value = write(LENGTH_END, (into) => writeColumnBlock(head, columns, into, LENGTH_END));
  value[0] = 5;
  value.writeUInt32BE(columns.rows, 1);
  value.writeUInt32BE(expandedTextBytes(columns), COUNT_END);
  return value;
}

/** @param encode answers the end of what it wrote; negative: so many bytes were wanting. */
function write(header: number, encode: (into: Buffer) => number): Buffer {
  let end = encode(scratch);
  if (end < 0) {
    scratch = Buffer.allocUnsafe(scratch.length - end);
    end = encode(scratch);
  }
  return Buffer.from(scratch.subarray(0, Math.max(header, end)));
}

/**
 * Made of the requests too: a sender that gives different uploads the same key loses nothing. What differs at each
 * delivery (when it came, the upload's id) stands before the requests in Avro and is left out.
 */
function deduplicationIdOf(block: RawBlock, { uploadKey, index }: BlockIdentity, avro: Buffer): Buffer {
  // An empty list is one byte.
  const requestsAt = types[1].toBuffer({ ...block, requests: [] }).length - 1;
  return createHash('sha256')
    .update(`${uploadKey}/${index}/${block.source}/`)
    .update(avro.subarray(requestsAt))
    .digest()
    .subarray(0, ID_BYTES);
}

/** The block's deduplication id, written as a UUID is; null where it has none. */
export function readDeduplicationId(value: Buffer): string | null {
  if (!isDeduplicated(value) || value.length < ID_END) return null;
  return value.toString('hex', COUNT_END, ID_END).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What a request takes at least. Avro: a byte for each field. Columns: a time, a status and a size. */
const LEAST_REQUEST_BYTES = { 1: 16, 2: 16, 3: 10 };

/** Number of requests that the record says it holds, and never more than its bytes could; 0 where it is too short. */
export function countRequests(value: Buffer): number {
  const header = headerBytes(value);
  if (value.length < header) return 0;
  const least = LEAST_REQUEST_BYTES[forms[formOf(value) ?? 1].schema];
  return Math.min(value.readUInt32BE(1), Math.floor((value.length - header) / least));
}

/** Bytes of the record with each text in its row, as the record says: what it takes on the way to the store. */
export function expandedBytes(value: Buffer): number {
  if (formOf(value) !== 5 || value.length < LENGTH_END) return value.length;
  return value.length + value.readUInt32BE(COUNT_END);
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  const form = knownForm(value);
  if (form === 5) {
    const { columns, ...head } = decodeColumns(value);
    return { ...head, requests: requestsOf(columns) };
  }
  return decodeRequests(value, form);
}

/** As {@link decodeRawBlock}, with the requests as columns. */
export function decodeColumnBlock(value: Buffer): ColumnBlock {
  const form = knownForm(value);
  if (form === 5) return decodeColumns(value);
  const { requests, ...head } = decodeRequests(value, form);
  return { ...head, columns: toColumns(requests) };
}

function decodeRequests(value: Buffer, form: Exclude<Form, 5>): RawBlock {
  const avro = value.subarray(headerBytes(value));
  return forms[form].schema === 1 ? types[2].fromBuffer(avro, fromFirst) : types[2].fromBuffer(avro);
}

function decodeColumns(value: Buffer): ColumnBlock {
  const block = readColumnBlock(value.subarray(LENGTH_END), countRequests(value));
  if (expandedTextLength(block.columns) > value.readUInt32BE(COUNT_END))
    throw new Error('more text than announced');
  return block;
}

function knownForm(value: Buffer): Form {
  const form = formOf(value);
  if (form === null) throw new Error(`requests.raw: unknown form ${value[0]}`);
  return form;
}

function formOf(value: Buffer): Form | null {
  const first = value[0];
  return first === 1 || first === 2 || first === 3 || first === 4 || first === 5 ? first : null;
}

function isDeduplicated(value: Buffer): boolean {
  const form = formOf(value);
  return form !== null && forms[form].deduplicated;
}

function headerBytes(value: Buffer): number {
  const form = formOf(value);
  if (form === 5) return LENGTH_END;
  return form !== null && forms[form].deduplicated ? ID_END : COUNT_END;
}
