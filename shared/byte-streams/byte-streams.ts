import { pipeline, Readable, type Transform } from 'node:stream';

/** Steps that read a body as a stream. A reader that stops early also releases the source. */

/** Limits the total size. Reading stops at most one chunk beyond the limit. @throws the error of `tooLarge`. */
export async function* limitBytes<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  maxBytes: number,
  tooLarge: () => Error,
): AsyncGenerator<Chunk> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    yield chunk;
  }
}

/** Reads the first `length` bytes, or fewer if the body is shorter. `rest` yields the whole body. */
export async function readHead(
  source: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  let ended = false;
  while (head.length < length && !ended) {
    const { value, done } = await chunks.next();
    if (done) ended = true;
    else head = head.length === 0 ? asBuffer(value) : Buffer.concat([head, value]);
  }
  async function* rest(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      while (!ended) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield asBuffer(value);
      }
    } finally {
      // If the caller reads only the head, no loop closes the source.
      await chunks.return?.();
    }
  }
  return { head, rest: rest() };
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws an error of zlib or of the chunks, unchanged. */
export async function* inflateBytes(
  chunks: AsyncGenerator<Uint8Array>,
  inflater: Transform,
): AsyncGenerator<Buffer> {
  // One chunk ahead: Readable.from would buffer sixteen.
  pipeline(Readable.from(chunks, { highWaterMark: 1 }), inflater, () => {
    // Errors reach the loop below through the inflater.
  });
  for await (const chunk of inflater) yield chunk as Buffer;
}
