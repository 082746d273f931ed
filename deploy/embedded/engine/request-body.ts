import type { Readable } from 'node:stream';
import { aborted, tooLong } from './engine-error.js';

/** @throws EngineError if the body is longer than `maxBytes`, or ends early. */
export function readWhole(body: Readable, maxBytes: number): Promise<Buffer> {
  // Uses events, since a stream's iterator costs more than the rest of the front for a short statement.
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
    body.once('close', () => reject(aborted('the client disconnected')));
  });
}
