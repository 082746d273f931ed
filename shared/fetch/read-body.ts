import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { inflateBytes, limitBytes, readHead } from '../byte-streams/byte-streams.js';
import { FetchError } from './fetch-error.js';

export interface BodyLimits {
  /** Bytes before decompression. */
  readonly maxBytes: number;
  /** Bytes after decompression. */
  readonly maxInflatedBytes: number;
}

/** Value of the Accept-Encoding header. */
export const SUPPORTED_ENCODINGS = 'gzip, br, deflate';

/**
 * A body, decompressed as it arrives. Reading stops at most one chunk beyond a limit.
 * @param encoding the Content-Encoding header. Stacked encodings are refused: they only serve to hide decompression
 * bombs.
 * @throws FetchError `too_large` beyond a limit, `bad_encoding`; an error of the stream or of zlib, unchanged.
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
      // `deflate` means the zlib format (RFC 9110 §8.4.1.2), whose first byte names method 8, yet some servers send raw
      // deflate.
      return (head & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      throw new FetchError('bad_encoding', host);
  }
}
