import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badArguments, EngineError } from './engine-error.js';

/**
 * The whole body, inflated where it says so. The engine takes an insert's data in one piece.
 * @throws EngineError when it is longer than `maxBytes` after inflation, or compressed by a codec we lack.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of inflated(request)) {
    length += (chunk as Buffer).length;
    if (length > maxBytes)
      throw new EngineError(307, 'TOO_MANY_BYTES', `The body is longer than ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
}

function inflated(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return request;
  if (encoding !== 'gzip') throw badArguments(`Content-Encoding ${encoding} is not supported, gzip is`);
  const gunzip = createGunzip();
  request.on('error', (error) => gunzip.destroy(error));
  return request.pipe(gunzip);
}
