import { createHash } from 'node:crypto';
import { readAvroType } from '../schemas/versioned-avro.js';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming its form, the number of requests (four bytes, big-endian: a
 * consumer plans its ranges by it without decoding), in the even forms a deduplication id (16 bytes), then Avro. A reader
 * knows every form that may still stand in the log. A block that says nothing of what the second schema added is written
 * by the first: readers of before take it, and a repeat has the id that it had.
 */

/** Forms by their first byte. Deduplicated: a block of an upload that can be told when it is sent again. */
const forms = {
  1: { schema: 1, deduplicated: false },
  2: { schema: 1, deduplicated: true },
  3: { schema: 2, deduplicated: false },
  4: { schema: 2, deduplicated: true },
} as const;
type Form = keyof typeof forms;
const COUNT_END = 5;
const ID_BYTES = 16;
const ID_END = COUNT_END + ID_BYTES;
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

/** @param identity null: the block can't be told from another delivery of the same requests. */
export function encodeRawBlock(block: RawBlock, identity: BlockIdentity | null = null): Buffer {
  const value = encodeAs(formFor(block, identity !== null), block);
  if (identity !== null) deduplicationIdOf(block, identity, value.subarray(ID_END)).copy(value, COUNT_END);
  return value;
}

/**
 * The block in the place of another. It keeps the deduplication id, though its requests are fewer (erasure) or have other
 * times (services/ingest/records/accepted-times.ts): a repeat of what it was must still be told.
 * @param value what stood there: a record that {@link decodeRawBlock} reads.
 */
export function replaceRawBlock(value: Buffer, block: RawBlock): Buffer {
  const deduplicated = isDeduplicated(value);
  const replaced = encodeAs(formFor(block, deduplicated), block);
  if (deduplicated) value.copy(replaced, COUNT_END, COUNT_END, ID_END);
  return replaced;
}

function formFor({ requests }: RawBlock, deduplicated: boolean): Form {
  const schema = requests.some(({ cdn_bot_category }) => cdn_bot_category !== '') ? 2 : 1;
  if (schema === 1) return deduplicated ? 2 : 1;
  return deduplicated ? 4 : 3;
}

/** All but the deduplication id, whose place is left free in the even forms. */
function encodeAs(form: Form, block: RawBlock): Buffer {
  const type = types[forms[form].schema];
  const header = forms[form].deduplicated ? ID_END : COUNT_END;
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
  const form = formOf(value);
  if (form === null) throw new Error(`requests.raw: unknown schema version ${value[0]}`);
  const avro = value.subarray(headerBytes(value));
  return forms[form].schema === 1 ? types[2].fromBuffer(avro, fromFirst) : types[2].fromBuffer(avro);
}

function formOf(value: Buffer): Form | null {
  const first = value[0];
  return first === 1 || first === 2 || first === 3 || first === 4 ? first : null;
}

function isDeduplicated(value: Buffer): boolean {
  const form = formOf(value);
  return form !== null && forms[form].deduplicated;
}

function headerBytes(value: Buffer): number {
  return isDeduplicated(value) ? ID_END : COUNT_END;
}
