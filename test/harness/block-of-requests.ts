import type { RawBlock } from '../../shared/requests/raw-request.js';
import { readAvroType } from '../../shared/schemas/versioned-avro.js';

const type = readAvroType('requests.raw', 2);

/** A record of `requests.raw` as releases wrote it that knew no columns: it holds whatever Avro takes. */
export function blockOfRequests(block: RawBlock): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 3;
  head.writeUInt32BE(block.requests.length, 1);
  return Buffer.concat([head, type.toBuffer(block)]);
}
