import { createGunzip } from 'node:zlib';
import { inflateBytes, limitBytes, readHead } from '../byte-streams/byte-streams.js';
import { SitemapError } from './sitemap-error.js';

/** Decodes a sitemap's bytes to text. */

/** Gzip's first bytes (RFC 1952 §2.3.1). The names and media types of compressed sitemaps are unreliable. */
const GZIP = [0x1f, 0x8b] as const;

/**
 * Inflates if the bytes are gzip, and decodes by the byte order mark, else as UTF-8, which the protocol requires. Invalid bytes become
 * U+FFFD. Reading stops at most one chunk after a limit.
 * @throws SitemapError `too_large`, `broken_gzip`; any error of `bytes`.
 */
export async function* readText(
  bytes: AsyncIterable<Uint8Array>,
  { maxInflatedBytes }: { maxInflatedBytes: number },
): AsyncGenerator<string> {
  const { head, rest } = await readHead(bytes, GZIP.length);
  const plain = limitBytes(
    isGzip(head) ? inflate(rest) : rest,
    maxInflatedBytes,
    () => new SitemapError('too_large'),
  );
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

/** The decoder removes the mark of its own encoding. */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

async function* inflate(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* inflateBytes(chunks, createGunzip());
  } catch (error) {
    const isDamage = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isDamage ? new SitemapError('broken_gzip', error) : error;
  }
}
