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
 * A record of `requests.raw` on the wire. Numbers are big-endian.
 *
 * | bytes | meaning |
 * | ----- | ------- |
 * | 1 | the id of the schema |
 * | 4 | the number of requests: a consumer plans its ranges by it without decoding |
 * | 4 | the bytes of all texts, each counted as often as a request has it |
 * | 4 | how many different texts each column has beyond its first, over all columns |
 * | 16 | the deduplication id; zeros: none |
 * | rest | Avro, requests.raw.v1.avsc |
 */

const SCHEMA = 1;
const TEXT_AT = 5;
const TEXTS_AT = 9;
const ID_AT = 13;
const HEADER_BYTES = 29;
const NO_ID = Buffer.alloc(HEADER_BYTES - ID_AT);

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
  const builder = builderOf(block);
  return encodeColumnBlock(block, builder, identity && deduplicationIdOf(block, builder, identity));
}

/**
 * The block in the place of another. It keeps the deduplication id, though its requests are fewer (erasure): a repeat of the
 * other must still be recognised.
 * @param value the other: a record that {@link decodeRawBlock} reads.
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
  value.writeUInt32BE(expandedTextBytes(columns), TEXT_AT);
  value.writeUInt32BE(differentTexts(columns), TEXTS_AT);
  (deduplicationId ?? NO_ID).copy(value, ID_AT);
  return value;
}

/** @returns a view of {@link scratch}, good until the next call: a header that is not filled in, and Avro. */
function write(head: ColumnBlockHead, columns: BuiltColumns): Buffer {
  let end = writeColumnBlock(head, columns, scratch, HEADER_BYTES);
  if (end < 0) {
    scratch = Buffer.allocUnsafe(scratch.length - end);
    end = writeColumnBlock(head, columns, scratch, HEADER_BYTES);
  }
  return scratch.subarray(0, end);
}

/**
 * The id is made of the requests too: a sender that gives different uploads the same key loses nothing. The upload's id and
 * its receipt differ at each delivery and are left out.
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

/** The block's deduplication id, written as a UUID is; null where it has none. */
export function readDeduplicationId(value: Buffer): string | null {
  if (!isKnown(value)) return null;
  const id = value.subarray(ID_AT, HEADER_BYTES);
  return id.equals(NO_ID) ? null : id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** What a request takes at least: a time, a status and a size. */
const LEAST_REQUEST_BYTES = 10;

/** Number of requests that the record announces, and never more than its bytes could hold; 0 where its schema is not known. */
export function countRequests(value: Buffer): number {
  if (!isKnown(value)) return 0;
  return Math.min(value.readUInt32BE(1), Math.floor((value.length - HEADER_BYTES) / LEAST_REQUEST_BYTES));
}

/** A text's length, and its id in the row that has it. */
const LEAST_TEXT_BYTES = 5;
/**
 * Texts that are new in their block and cost as much as a request: each is parsed, enriched and grouped in the rollups once. An ordinary request
 * brings one or two.
 */
const TEXTS_OF_REQUEST = 2;

/** The requests of the record as quotas, the pace and ranges count them: more than there are where they bring many different texts. */
export function weighRequests(value: Buffer): number {
  if (!isKnown(value)) return 0;
  const most = Math.floor((value.length - HEADER_BYTES) / LEAST_TEXT_BYTES);
  const texts = Math.min(value.readUInt32BE(TEXTS_AT), most);
  return Math.max(countRequests(value), Math.ceil(texts / TEXTS_OF_REQUEST));
}

/** Bytes of the record with each text in its row, as the record announces them: what it takes on the way to the store. */
export function expandedBytes(value: Buffer): number {
  return isKnown(value) ? value.length + value.readUInt32BE(TEXT_AT) : value.length;
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  const { columns, ...head } = decodeColumnBlock(value);
  return { ...head, requests: requestsOf(columns) };
}

/** As {@link decodeRawBlock}, with the requests as columns. */
export function decodeColumnBlock(value: Buffer): ColumnBlock {
  if (value[0] !== SCHEMA) throw new Error(`requests.raw: unknown schema id ${value[0]}`);
  if (value.length < HEADER_BYTES) throw new Error('shorter than its header');
  const block = readColumnBlock(value.subarray(HEADER_BYTES), countRequests(value));
  if (expandedTextLength(block.columns) > value.readUInt32BE(TEXT_AT))
    throw new Error('more text than announced');
  return block;
}

function isKnown(value: Buffer): boolean {
  return value[0] === SCHEMA && value.length >= HEADER_BYTES;
}
