import { createHash } from 'node:crypto';
import type { RawBlock } from '../raw-request.js';
import {
  type ColumnBlock,
  type ColumnBlockHead,
  differentTexts,
  expandedTextBytes,
  readColumnBlock,
  writeColumnBlock,
} from './column-block-codec.js';
import { type BuiltColumns, type ColumnBuilder, createColumnBuilder } from './column-builder.js';
import { expandedTextLength, requestsOf } from './request-columns.js';

/**
 * A record of `requests.raw`. Numbers are big-endian. Fields, with their sizes in bytes:
 * - schema id (1)
 * - number of requests (4): consumers plan their ranges with it, without decoding
 * - bytes of the texts, each counted in every row that has it (4)
 * - number of different texts (4): quotas and ranges weigh requests with it (`weighRequests`)
 * - deduplication id (16); zeros: none
 * - Avro, requests.raw.v1.avsc (rest)
 */

const SCHEMA = 1;
const TEXT_BYTES_AT = 5;
const TEXT_COUNT_AT = 9;
const ID_AT = 13;
const HEADER_BYTES = 29;
const NO_ID = Buffer.alloc(HEADER_BYTES - ID_AT);

/** Identifies a block of an upload: equal at each delivery of the upload. */
export interface BlockIdentity {
  /** Digest of the upload's identity: its website and its idempotency key. */
  readonly uploadKey: string;
  /** Index of the block in its upload, from 0. */
  readonly index: number;
}

/** Reused buffer: a block's size is only known after encoding, so `toBuffer` would encode each block twice. */
let scratch = Buffer.allocUnsafe(1024 * 1024);

/** @param identity null: the block gets no deduplication id. */
export function encodeRawBlock(block: RawBlock, identity: BlockIdentity | null = null): Buffer {
  const builder = builderOf(block);
  return encodeColumnBlock(block, builder, identity && deduplicationIdOf(block, builder, identity));
}

/**
 * Encodes a block that replaces another one. It keeps the deduplication id although erasure removed requests: a repeat
 * of the original must still be recognised.
 * @param value the original: a record that {@link decodeRawBlock} reads
 */
export function replaceRawBlock(value: Buffer, block: RawBlock): Buffer {
  return encodeColumnBlock(block, builderOf(block), value.subarray(ID_AT, HEADER_BYTES));
}

function builderOf({ requests }: RawBlock): ColumnBuilder {
  const builder = createColumnBuilder(requests.length);
  for (const request of requests) builder.add(request);
  return builder;
}

/** @param deduplicationId of {@link deduplicationIdOf}; null: none. */
export function encodeColumnBlock(
  { website_id, source, upload_id, received_at }: ColumnBlockHead,
  builder: ColumnBuilder,
  deduplicationId: Buffer | null = null,
): Buffer {
  const columns = builder.columns();
  const value = Buffer.from(write({ website_id, source, upload_id, received_at }, columns));
  value[0] = SCHEMA;
  value.writeUInt32BE(columns.rows, 1);
  value.writeUInt32BE(expandedTextBytes(columns), TEXT_BYTES_AT);
  value.writeUInt32BE(differentTexts(columns), TEXT_COUNT_AT);
  (deduplicationId ?? NO_ID).copy(value, ID_AT);
  return value;
}

/** @returns a view of {@link scratch}, valid until the next call: an empty header, and Avro. */
function write(head: ColumnBlockHead, columns: BuiltColumns): Buffer {
  let end = writeColumnBlock(head, columns, scratch, HEADER_BYTES);
  if (end < 0) {
    scratch = Buffer.allocUnsafe(scratch.length - end);
    end = writeColumnBlock(head, columns, scratch, HEADER_BYTES);
  }
  return scratch.subarray(0, end);
}

/**
 * The id includes the requests, so a sender that uses one key for different uploads loses nothing. The upload's id and
 * its receipt time differ at each delivery and are left out.
 */
export function deduplicationIdOf(
  { website_id, source }: Pick<ColumnBlockHead, 'website_id' | 'source'>,
  builder: ColumnBuilder,
  { uploadKey, index }: BlockIdentity,
): Buffer {
  const written = write({ website_id, source, upload_id: '', received_at: 0 }, builder.columns());
  return createHash('sha256')
    .update(`${uploadKey}/${index}/`)
    .update(written.subarray(HEADER_BYTES))
    .digest()
    .subarray(0, NO_ID.length);
}

/** The block's deduplication id as a UUID; null if it has none. */
export function readDeduplicationId(value: Buffer): string | null {
  if (!isKnown(value)) return null;
  const id = value.subarray(ID_AT, HEADER_BYTES);
  return id.equals(NO_ID) ? null : id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Smallest size of a request: a time, a status and a size. */
const LEAST_REQUEST_BYTES = 10;

/** Number of requests that the record announces, bounded by its size; 0 for an unknown schema. */
export function countRequests(value: Buffer): number {
  if (!isKnown(value)) return 0;
  return Math.min(value.readUInt32BE(1), Math.floor((value.length - HEADER_BYTES) / LEAST_REQUEST_BYTES));
}

/** A text's length, and its id in the row that has it. */
const LEAST_TEXT_BYTES = 5;
/**
 * This many different texts of a block cost as much as a request: each is parsed, enriched and grouped in the rollups once. An ordinary request adds
 * one or two.
 */
const TEXTS_OF_REQUEST = 2;

/** The weight of the record's requests, by which quotas, the pace and ranges count: their number, or more if they have many different texts. */
export function weighRequests(value: Buffer): number {
  if (!isKnown(value)) return 0;
  const most = Math.floor((value.length - HEADER_BYTES) / LEAST_TEXT_BYTES);
  const texts = Math.min(value.readUInt32BE(TEXT_COUNT_AT), most);
  return Math.max(countRequests(value), Math.ceil(texts / TEXTS_OF_REQUEST));
}

/** Bytes of the record with each text in its row, as the record announces them: what it takes on the way to the store. */
export function expandedBytes(value: Buffer): number {
  return isKnown(value) ? value.length + value.readUInt32BE(TEXT_BYTES_AT) : value.length;
}

/** @throws Error that describes the malformed bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  const { columns, ...head } = decodeColumnBlock(value);
  return { ...head, requests: requestsOf(columns) };
}

/** As {@link decodeRawBlock}, with the requests as columns. */
export function decodeColumnBlock(value: Buffer): ColumnBlock {
  if (value[0] !== SCHEMA) throw new Error(`requests.raw: unknown schema id ${value[0]}`);
  if (value.length < HEADER_BYTES) throw new Error('shorter than its header');
  const block = readColumnBlock(value.subarray(HEADER_BYTES), countRequests(value));
  if (expandedTextLength(block.columns) > value.readUInt32BE(TEXT_BYTES_AT))
    throw new Error('more text than announced');
  return block;
}

function isKnown(value: Buffer): boolean {
  return value[0] === SCHEMA && value.length >= HEADER_BYTES;
}
