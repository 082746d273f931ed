import { createHash } from 'node:crypto';
import { readAvroType } from '../schemas/versioned-avro.js';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming its form, the number of requests (four bytes, big-endian: a
 * consumer plans its ranges by it without decoding), in form 2 a deduplication id (16 bytes), then Avro. A reader knows
 * every form that may still stand in the log.
 */

/** A block of an upload that said nothing to tell a repeat by. */
const PLAIN = 1;
/** A block of an upload that can be told when it is sent again. */
const DEDUPLICATED = 2;
const COUNT_END = 5;
const ID_BYTES = 16;
const ID_END = COUNT_END + ID_BYTES;
const type = readAvroType('requests.raw', 1);

/** Which block of which upload this is: the same each time that the upload is sent. */
export interface BlockIdentity {
  /** Digest of what names the upload: its website and its idempotency key. */
  readonly uploadKey: string;
  /** Place of the block in its upload, from 0. */
  readonly index: number;
}

/** Written to first, as a block's size is known only afterwards: `toBuffer` would encode each one twice. */
let scratch = Buffer.allocUnsafe(1024 * 1024);

/** @param identity null: the block can't be told from another delivery of the same requests. */
export function encodeRawBlock(block: RawBlock, identity: BlockIdentity | null = null): Buffer {
  const value = encodeAs(identity === null ? PLAIN : DEDUPLICATED, block);
  if (identity !== null) deduplicationIdOf(block, identity, value.subarray(ID_END)).copy(value, COUNT_END);
  return value;
}

/**
 * The block in the place of another. It keeps the deduplication id, though its requests are fewer (erasure) or have other
 * times (services/ingest/records/accepted-times.ts): a repeat of what it was must still be told.
 * @param value what stood there: a record that {@link decodeRawBlock} reads.
 */
export function replaceRawBlock(value: Buffer, block: RawBlock): Buffer {
  const form = value[0] === DEDUPLICATED ? DEDUPLICATED : PLAIN;
  const replaced = encodeAs(form, block);
  if (form === DEDUPLICATED) value.copy(replaced, COUNT_END, COUNT_END, ID_END);
  return replaced;
}

/** All but the deduplication id, whose place is left free in form 2. */
function encodeAs(form: typeof PLAIN | typeof DEDUPLICATED, block: RawBlock): Buffer {
  const header = form === PLAIN ? COUNT_END : ID_END;
  let end = type.encode(block, scratch, header);
  // Negative: so many bytes were wanting.
  if (end < 0) {
    scratch = Buffer.allocUnsafe(scratch.length - end);
    end = type.encode(block, scratch, header);
  }
  const value = Buffer.from(scratch.subarray(0, end));
  value[0] = form;
  value.writeUInt32BE(block.requests.length, 1);
  return value;
}

/**
 * Made of the requests too: a sender that gives different uploads the same key loses nothing. What differs at each
 * delivery (when it came, the upload's id) stands before the requests in Avro and is left out.
 */
function deduplicationIdOf(block: RawBlock, { uploadKey, index }: BlockIdentity, avro: Buffer): Buffer {
  // An empty list is one byte.
  const requestsAt = type.toBuffer({ ...block, requests: [] }).length - 1;
  return createHash('sha256')
    .update(`${uploadKey}/${index}/${block.source}/`)
    .update(avro.subarray(requestsAt))
    .digest()
    .subarray(0, ID_BYTES);
}

/** The block's deduplication id, written as a UUID is; null where it has none. */
export function readDeduplicationId(value: Buffer): string | null {
  if (value[0] !== DEDUPLICATED || value.length < ID_END) return null;
  return value.toString('hex', COUNT_END, ID_END).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Avro takes at least a byte for each of a request's fields. */
const LEAST_REQUEST_BYTES = 16;

/** Number of requests that the record says it holds, and never more than its bytes could; 0 where it is too short. */
export function countRequests(value: Buffer): number {
  const header = headerBytes(value);
  if (value.length < header) return 0;
  return Math.min(value.readUInt32BE(1), Math.floor((value.length - header) / LEAST_REQUEST_BYTES));
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  const form = value[0];
  if (form !== PLAIN && form !== DEDUPLICATED) {
    throw new Error(`requests.raw: unknown schema version ${form}`);
  }
  return type.fromBuffer(value.subarray(headerBytes(value))) as RawBlock;
}

function headerBytes(value: Buffer): number {
  return value[0] === DEDUPLICATED ? ID_END : COUNT_END;
}
