import type { Readable } from 'node:stream';
import { readHead } from '../../../shared/byte-streams/byte-streams.js';
import { CutShortError } from '../../../shared/byte-streams/inflate-gzip.js';
import { inflateZstd, USUAL_WINDOW_BYTES, ZstdError } from '../../../shared/byte-streams/inflate-zstd.js';
import { isZstd } from '../../../shared/byte-streams/zstd-frame.js';
import { PublicError } from '../../../shared/errors.js';
import { createPatience, type LeastRate } from './least-rate.js';
import { type Framing, inflateAsStream, inflateAtOnce, MOST_BYTES_AT_ONCE } from './zlib-forms.js';

export type Encoding = 'identity' | 'gzip' | 'deflate' | 'zstd';

/** Value of Accept-Encoding in a refusal, and part of its text. */
export const SUPPORTED_ENCODINGS = 'gzip, deflate, zstd, identity';

export interface BodyLimits {
  /** Bytes as sent. */
  readonly maxBytes: number;
  /** Bytes after decompression. */
  readonly maxInflatedBytes: number;
  readonly leastRate: LeastRate;
  /** Resolves when this many inflated bytes may pass. */
  readonly waitForRate: (bytes: number) => Promise<void>;
}

/** Counts while the body streams. */
export interface BodyProgress {
  received: number;
  inflated: number;
  /** The unreadable part of a body whose other parts were read. */
  warning?: string;
  /** Whether the body ends early. */
  isCut?: boolean;
}

/**
 * Most chunks that are gathered before they are joined. A sender of single bytes would otherwise occupy a buffer for
 * each.
 */
const MOST_CHUNKS = 16;

/** @throws PublicError (415) for an unsupported encoding, or for several */
export function readEncoding(header: string | undefined): Encoding {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  if (encoding === 'deflate' || encoding === 'zstd') return encoding;
  throw new PublicError(
    'unsupported_media_type',
    `Content-Encoding ${JSON.stringify(encoding.slice(0, 60))} is not supported; supported: ${SUPPORTED_ENCODINGS}.`,
  );
}

/**
 * Inflates the request's body while it arrives. The request stays open if reading stops early, so that it can still
 * be answered.
 * @throws PublicError (413 past a limit, 408 below the least rate, 400 for damaged compression), or the request's error
 */
export async function* inflateBody(
  request: Readable,
  encoding: Encoding,
  limits: BodyLimits,
  progress: BodyProgress,
): AsyncGenerator<Buffer> {
  const sent = limitReceived(request, limits, progress);
  // Four bytes are enough to recognise gzip and zstd.
  const { head, rest } = await readHead(sent, 4);
  const body = inflate(rest, encoding, head, progress);
  for await (const chunk of body) {
    progress.inflated += chunk.length;
    if (progress.inflated > limits.maxInflatedBytes) throw tooLargeInflated(limits.maxInflatedBytes);
    await limits.waitForRate(chunk.length);
    yield chunk;
  }
}

/** The refusal of a body that is too large as sent, or whose Content-Length is too large. */
export function tooLargeAsSent(maxBytes: number): PublicError {
  return new PublicError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes; send smaller batches.`,
  );
}

/** The refusal (413) of a body that is too large after decompression, compressed messages within it included. */
export function tooLargeInflated(maxBytes: number): PublicError {
  return new PublicError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes after decompression; send smaller batches.`,
  );
}

async function* limitReceived(
  request: Readable,
  limits: BodyLimits,
  progress: BodyProgress,
): AsyncGenerator<Buffer> {
  const patience = createPatience(limits.leastRate);
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let isWaiting = false;
  try {
    while (true) {
      isWaiting = true;
      const { value: chunk, done } = await patience.waitFor(chunks.next());
      isWaiting = false;
      if (done) return;
      patience.received(chunk.length);
      progress.received += chunk.length;
      if (progress.received > limits.maxBytes) throw tooLargeAsSent(limits.maxBytes);
      yield chunk;
    }
  } finally {
    // `return` of a waiting iterator would resolve only with the next bytes.
    if (!isWaiting) await chunks.return?.();
  }
}

function inflate(
  rest: AsyncGenerator<Buffer>,
  encoding: Encoding,
  head: Buffer,
  progress: BodyProgress,
): AsyncGenerator<Buffer> {
  if (head.length === 0) return rest;
  // Some proxies drop the header and forward the bytes.
  if (encoding === 'zstd' || isZstd(head)) return inflateFrames(rest);
  const framing = chooseFraming(encoding, head);
  if (framing === null) refuseOtherCompression(head);
  return framing === null ? rest : inflateByZlib(rest, framing, progress);
}

function chooseFraming(encoding: Encoding, head: Buffer): Framing | null {
  if (encoding === 'gzip' || (head[0] === 0x1f && head[1] === 0x8b)) return 'gzip';
  if (encoding === 'identity') return null;
  // "deflate" means zlib's framing (RFC 9110 §8.4.1.2), but some senders use the raw form. The first byte of zlib
  // names method 8.
  const framed = (head[0]! & 0x0f) === 8 && ((head[0]! << 8) + head[1]!) % 31 === 0;
  return framed ? 'zlib' : 'raw';
}

/** Files of these kinds are often sent unchanged. Four bytes identify them, and none of the marks begins a log line. */
const otherCompression = [
  { kind: 'bzip2', mark: 'BZh' },
  { kind: 'xz', mark: '\xfd7zX' },
  { kind: 'a ZIP archive', mark: 'PK\x03\x04' },
  { kind: 'a 7z archive', mark: '7z\xbc\xaf' },
];

function refuseOtherCompression(head: Buffer): void {
  const begin = head.toString('latin1', 0, 4);
  const other = otherCompression.find(({ mark }) => begin.startsWith(mark));
  if (other === undefined) return;
  throw new PublicError(
    'unsupported_media_type',
    `The body is ${other.kind}, which is not supported. Send gzip, zstd or plain log lines.`,
  );
}

async function* inflateByZlib(
  chunks: AsyncGenerator<Buffer>,
  framing: Framing,
  progress: BodyProgress,
): AsyncGenerator<Buffer> {
  const { begin, isWhole } = await readBegin(chunks);
  const inflated = isWhole ? inflateAtOnce(Buffer.concat(begin), framing) : null;
  if (inflated !== null) {
    yield* inflated;
    return;
  }
  // For a damaged body, the stream also returns the bytes before the damage.
  async function* all(): AsyncGenerator<Buffer> {
    yield* begin;
    yield* chunks;
  }
  const onTrailing = (bytes: number) => {
    progress.warning = `${bytes} bytes after the end of the gzip data are not gzip; they were left out.`;
  };
  try {
    yield* inflateAsStream(all(), framing, onTrailing);
  } catch (error) {
    if (error instanceof CutShortError && progress.inflated > 0) {
      progress.warning = 'The gzip data ends early; the lines before its end were read.';
      progress.isCut = true;
      return;
    }
    const code = (error as NodeJS.ErrnoException).code;
    const isDamage = typeof code === 'string' && code.startsWith('Z_');
    if (!isDamage && !(error instanceof CutShortError)) throw error;
    throw notInflated(error as Error);
  }
}

/**
 * Returns no byte of a short body that breaks off: its sender got no answer and sends it again.
 * @returns the whole body if it is short enough to be inflated at once; else the first chunks, up to the one past
 * that length
 */
async function readBegin(chunks: AsyncGenerator<Buffer>): Promise<{ begin: Buffer[]; isWhole: boolean }> {
  let begin: Buffer[] = [];
  let bytes = 0;
  while (bytes <= MOST_BYTES_AT_ONCE) {
    const next = await chunks.next();
    if (next.done) return { begin, isWhole: true };
    if (begin.length === MOST_CHUNKS) begin = [Buffer.concat(begin)];
    begin.push(next.value);
    bytes += next.value.length;
  }
  return { begin, isWhole: false };
}

async function* inflateFrames(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* inflateZstd(chunks, { maxWindowBytes: USUAL_WINDOW_BYTES });
  } catch (error) {
    throw error instanceof ZstdError ? notInflated(error) : error;
  }
}

function notInflated(error: Error): PublicError {
  return new PublicError('invalid_request', `The body can't be decompressed: ${error.message}.`, {
    cause: error,
  });
}
