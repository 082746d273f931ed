import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { FetchError } from './fetch-error.js';

export interface BodyLimits {
  /** Bytes as sent. */
  readonly maxBytes: number;
  /** Bytes after decompression. */
  readonly maxInflatedBytes: number;
}

/** As Accept-Encoding. */
export const SUPPORTED_ENCODINGS = 'gzip, br, deflate';

/**
 * A body, decompressed while it comes in. Each limit is passed by one chunk at most before reading stops.
 * @param encoding the Content-Encoding header. A stack of encodings is refused: nobody sends one but to hide a bomb.
 * @throws FetchError `too_large` past a limit, `bad_encoding`; an error of the stream or of zlib as it is.
 */
export async function* readBody(
  sent: AsyncIterable<Uint8Array>,
  encoding: string | null,
  limits: BodyLimits,
  host: string,
): AsyncGenerator<Uint8Array> {
  const received = limit(sent, limits.maxBytes, host);
  const { head, rest } = await peek(received);
  const inflater = head === null ? null : chooseInflater(encoding, head, host);
  yield* inflater === null ? rest : limit(inflate(rest, inflater), limits.maxInflatedBytes, host);
}

async function* limit(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  host: string,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FetchError('too_large', host);
    yield chunk;
  }
}

/** The first byte, null of an empty body; `rest` gives the whole body. */
async function peek(
  chunks: AsyncGenerator<Uint8Array>,
): Promise<{ head: number | null; rest: AsyncGenerator<Uint8Array> }> {
  let first = await chunks.next();
  while (!first.done && first.value.length === 0) first = await chunks.next();
  const chunk = first.done ? null : first.value;
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      if (chunk !== null) yield chunk;
      yield* chunks;
    } finally {
      // Where reading stops at the first chunk, nobody has begun on the others yet.
      await chunks.return(undefined);
    }
  }
  return { head: chunk?.[0] ?? null, rest: rest() };
}

function chooseInflater(encoding: string | null, head: number, host: string): Transform | null {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // It means zlib's framing (RFC 9110 §8.4.1.2), whose first byte names method 8, yet some send the raw form.
      return (head & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new FetchError('bad_encoding', host);
  }
}

async function* inflate(chunks: AsyncGenerator<Uint8Array>, inflater: Transform): AsyncGenerator<Uint8Array> {
  // One chunk ahead: Readable.from would hold sixteen.
  pipeline(Readable.from(chunks, { highWaterMark: 1 }), inflater, () => {
    // Errors reach the loop below through the inflater.
  });
  for await (const chunk of inflater) yield chunk as Uint8Array;
}
