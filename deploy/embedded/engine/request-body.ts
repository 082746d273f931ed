import type { Readable } from 'node:stream';
import { aborted, tooLong } from './engine-error.js';

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
