import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming the schema's version, the number of requests (four
 * bytes, big-endian: a consumer plans its ranges by it without decoding), then Avro. A reader knows every
 * version that may still stand in the log; a newer version only adds defaulted fields.
 */

const VERSION = 1;
const HEADER_BYTES = 5;
const schema = JSON.parse(readFileSync(new URL('../schemas/requests.raw.v1.avsc', import.meta.url), 'utf8'));
const type = avsc.Type.forSchema(schema);

export function encodeRawBlock(block: RawBlock): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = VERSION;
  header.writeUInt32BE(block.requests.length, 1);
  return Buffer.concat([header, type.toBuffer(block)]);
}

/** Number of requests that the record claims to hold; 0 where it is too short to say. */
export function countRequests(value: Buffer): number {
  return value.length < HEADER_BYTES ? 0 : value.readUInt32BE(1);
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  if (value[0] !== VERSION) throw new Error(`requests.raw: unknown schema version ${value[0]}`);
  return type.fromBuffer(value.subarray(HEADER_BYTES)) as RawBlock;
}
