import { readAvroType } from '../schemas/versioned-avro.js';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming the schema's version, the number of requests (four
 * bytes, big-endian: a consumer plans its ranges by it without decoding), then Avro. A reader knows every
 * version that may still stand in the log; a newer version only adds defaulted fields.
 */

const VERSION = 1;
const HEADER_BYTES = 5;
const type = readAvroType('requests.raw', VERSION);

/** Written to first, as a block's size is known only afterwards: `toBuffer` would encode each one twice. */
let scratch = Buffer.allocUnsafe(1024 * 1024);

export function encodeRawBlock(block: RawBlock): Buffer {
  let end = type.encode(block, scratch, HEADER_BYTES);
  // Negative: so many bytes were wanting.
  if (end < 0) {
    scratch = Buffer.allocUnsafe(scratch.length - end);
    end = type.encode(block, scratch, HEADER_BYTES);
  }
  const value = Buffer.from(scratch.subarray(0, end));
  value[0] = VERSION;
  value.writeUInt32BE(block.requests.length, 1);
  return value;
}

/** Avro takes at least a byte for each of a request's fields. */
const LEAST_REQUEST_BYTES = 16;

/** Number of requests that the record says it holds, and never more than its bytes could; 0 where it is too short. */
export function countRequests(value: Buffer): number {
  if (value.length < HEADER_BYTES) return 0;
  return Math.min(value.readUInt32BE(1), Math.floor((value.length - HEADER_BYTES) / LEAST_REQUEST_BYTES));
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  if (value[0] !== VERSION) throw new Error(`requests.raw: unknown schema version ${value[0]}`);
  return type.fromBuffer(value.subarray(HEADER_BYTES)) as RawBlock;
}
