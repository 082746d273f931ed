import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { aborted, badArguments, tooLong } from './engine-error.js';

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

/** @throws EngineError when it is longer than `maxBytes`, or ends before it is complete. */
export function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  // By events: the iterator of a stream costs more than all else of a short statement's front.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) return chunks.push(chunk);
      reject(tooLong(maxBytes));
      return body.destroy();
    });
    body.once('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)),
    );
    body.once('error', reject);
    body.once('close', () => reject(aborted('the client went away')));
  });
}
