import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SitemapError } from './sitemap-error.js';

/** A sitemap's bytes as text. */

/** Gzip's first bytes (RFC 1952 §2.3.1): names and media types of compressed sitemaps are wrong as often as right. */
const GZIP = [0x1f, 0x8b] as const;

/**
 * Inflates where the bytes say gzip, and decodes: by the byte order mark, else as UTF-8, which the protocol asks for. What is no character becomes U+FFFD.
 * Each limit is passed by one chunk at most before reading stops.
 * @throws SitemapError `too_large`, `broken_gzip`; what `bytes` throws.
 */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  { maxInflatedBytes }: { maxInflatedBytes: number },
): AsyncGenerator<string> {
  const { head, rest } = await readHead(bytes);
  const plain = isGzip(head) ? limit(inflate(rest), maxInflatedBytes) : limit(rest, maxInflatedBytes);
  let decoder: TextDecoder | null = null;
  for await (const chunk of plain) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

function isGzip(head: Uint8Array): boolean {
  return GZIP.every((byte, index) => head[index] === byte);
}

/** The decoder itself takes the mark of its own encoding away. */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Enough of the beginning to know what it is; `rest` gives all. */
async function readHead(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; rest: AsyncGenerator<Uint8Array> }> {
  const chunks = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  let ended = false;
  while (head.length < GZIP.length && !ended) {
    const { value, done } = await chunks.next();
    if (done) ended = true;
    else head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      while (!ended) {
        const { value, done } = await chunks.next();
        if (done) return;
        yield value;
      }
    } finally {
      // Whoever stops early lets go of the connection, too.
      await chunks.return?.();
    }
  }
  return { head, rest: rest() };
}

async function* limit(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new SitemapError('too_large');
    yield chunk;
  }
}

async function* inflate(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  async function* noted(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const inflater = createGunzip();
  pipeline(Readable.from(noted(), { highWaterMark: 1 }), inflater, () => {
    // Errors reach the loop below through the inflater.
  });
  try {
    for await (const chunk of inflater) yield chunk as Uint8Array;
  } catch (error) {
    throw failure ?? new SitemapError('broken_gzip', error);
  }
}
