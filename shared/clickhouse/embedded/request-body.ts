import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badArguments, tooLong } from './engine-error.js';

/**
 * The request's body, inflated where it says so.
 * @throws EngineError when it is compressed by a codec we lack.
 */
export function bodyOf(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return request;
  if (encoding !== 'gzip') throw badArguments(`Content-Encoding ${encoding} is not supported, gzip is`);
  const inflated = new PassThrough();
  pipeline(request, createGunzip(), inflated, (error) => {
    if (error) inflated.destroy(error);
  });
  return inflated;
}

/** @throws EngineError when it is longer than `maxBytes`. */
export async function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, length);
}
