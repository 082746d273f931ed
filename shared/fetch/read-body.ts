import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { inflateBytes, limitBytes, readHead } from '../byte-streams/byte-streams.js';
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
  const tooLarge = () => new FetchError('too_large', host);
  const { head, rest } = await readHead(limitBytes(sent, limits.maxBytes, tooLarge), 1);
  const inflater = head.length === 0 ? null : chooseInflater(encoding, head[0]!, host);
  yield* inflater === null
    ? rest
    : limitBytes(inflateBytes(rest, inflater), limits.maxInflatedBytes, tooLarge);
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
