import {
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import { inflateBytes } from '../../../shared/byte-streams/byte-streams.js';
import { inflateGzip } from '../../../shared/byte-streams/inflate-gzip.js';

/**
 * Formats that zlib inflates, as a stream or at once. For a small body, inflating at once costs a tenth. `zlib` is
 * RFC 1950, `raw` RFC 1951.
 */
export type Framing = 'gzip' | 'zlib' | 'raw';

const inflateWhole = { gzip: gunzipSync, zlib: inflateSync, raw: inflateRawSync } as const;

/** zlib's output buffer; its default of 16 KiB costs four times the turns of the event loop. */
const CHUNK_BYTES = 128 * 1024;
const LEAST_CHUNK_BYTES = 4 * 1024;
/** Log lines compress to about an eighth, so most bodies fit into one buffer. */
const USUAL_RATIO = 10;

/** Bytes as sent. Inflating them blocks the thread for about a millisecond. */
export const MOST_BYTES_AT_ONCE = 32 * 1024;
const MOST_INFLATED_AT_ONCE = 512 * 1024;

/**
 * @param body whole, of `MOST_BYTES_AT_ONCE` at most
 * @returns chunks like those of a stream; null if the body is damaged, or too long after inflation
 */
export function inflateAtOnce(body: Buffer, framing: Framing): Buffer[] | null {
  const chunkSize = Math.min(MOST_INFLATED_AT_ONCE, Math.max(LEAST_CHUNK_BYTES, USUAL_RATIO * body.length));
  const options: ZlibOptions = { chunkSize, maxOutputLength: MOST_INFLATED_AT_ONCE };
  try {
    return inPieces(inflateWhole[framing](body, options), CHUNK_BYTES);
  } catch {
    return null;
  }
}

/** Views of the bytes, all of this size except the last. */
export function inPieces(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, piece) =>
    bytes.subarray(piece * length, (piece + 1) * length),
  );
}

/**
 * @param onTrailing called with the number of bytes after gzip data that are not gzip
 * @throws CutShortError if gzip data ends early; Error of zlib, whose code begins with `Z_`, for damage; errors of
 * the chunks
 */
export async function* inflateAsStream(
  chunks: AsyncGenerator<Buffer>,
  framing: Framing,
  onTrailing: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (framing === 'gzip') yield* inflateGzip(chunks, { chunkBytes: CHUNK_BYTES, onTrailing });
  else yield* inflateBytes(chunks, createStream[framing]({ chunkSize: CHUNK_BYTES }));
}

const createStream = { zlib: createInflate, raw: createInflateRaw } as const;
