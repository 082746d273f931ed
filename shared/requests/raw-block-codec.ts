import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import type { RawBlock } from './raw-request.js';

/**
 * A record of `requests.raw` on the wire: one byte naming the schema's version, then Avro. A reader knows
 * every version that may still stand in the log; a newer version only adds defaulted fields.
 */

const VERSION = 1;
const schema = JSON.parse(readFileSync(new URL('../schemas/requests.raw.v1.avsc', import.meta.url), 'utf8'));
const type = avsc.Type.forSchema(schema);

export function encodeRawBlock(block: RawBlock): Buffer {
  return Buffer.concat([Buffer.of(VERSION), type.toBuffer(block)]);
}

/** @throws Error naming what is wrong with the bytes; the caller dead-letters the record. */
export function decodeRawBlock(value: Buffer): RawBlock {
  if (value[0] !== VERSION) throw new Error(`requests.raw: unknown schema version ${value[0]}`);
  return type.fromBuffer(value.subarray(1)) as RawBlock;
}
