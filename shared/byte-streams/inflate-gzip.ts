import { constants, crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';

/**
 * Inflates gzip (RFC 1952) member by member. When a chunk fails, the stream of node:zlib yields nothing of that chunk.
 * The last lines of a truncated file, or of one with trailing data, would be lost.
 */

/** The bytes end within a member. All complete data was yielded. */
export class CutShortError extends Error {
  constructor() {
    super('the gzip data ends early');
  }
}

/** Has node:zlib's code for damaged data. */
class DamagedError extends Error {
  readonly code = 'Z_DATA_ERROR';
}

export interface GzipOptions {
  /** Size of the yielded chunks. */
  readonly chunkBytes: number;
  /** Called at the end with the number of trailing bytes that are not gzip. */
  readonly onTrailing: (bytes: number) => void;
}

/** Bytes that a member holds at least, on average: no log line has fewer. A member without any costs as much time as a line. */
const LEAST_MEMBER_BYTES = 64;
/** Members before that counts. */
const FREE_MEMBERS = 1_000;

/** @throws CutShortError; an error whose code begins with `Z_` for damage; the chunks' own. */
export async function* inflateGzip(
  chunks: AsyncIterator<Buffer>,
  { chunkBytes, onTrailing }: GzipOptions,
): AsyncGenerator<Buffer> {
  const input = createInput(chunks);
  let members = 0;
  let bytes = 0;
  try {
    do {
      await skipHeader(input);
      for await (const chunk of inflateMember(input, chunkBytes)) {
        bytes += chunk.length;
        yield chunk;
      }
      members += 1;
      if ((members - FREE_MEMBERS) * LEAST_MEMBER_BYTES > bytes)
        throw new DamagedError(`its gzip members hold fewer than ${LEAST_MEMBER_BYTES} bytes each`);
    } while (await beginsMember(input));
    const padding = await input.peek(0);
    const trailing = await input.skipAll();
    // Tapes and tar pad with zeros.
    if (trailing > 0 && padding !== 0) onTrailing(trailing);
  } finally {
    await chunks.return?.();
  }
}

async function beginsMember(input: Input): Promise<boolean> {
  return (await input.peek(0)) === 0x1f && (await input.peek(1)) === 0x8b;
}

const [HAS_CRC, HAS_EXTRA, HAS_NAME, HAS_COMMENT, RESERVED] = [2, 4, 8, 16, 0xe0];
const DEFLATE = 8;

async function skipHeader(input: Input): Promise<void> {
  const header = await input.take(10);
  const flags = header[3]!;
  if (header[0] !== 0x1f || header[1] !== 0x8b) throw new DamagedError('incorrect header check');
  if (header[2] !== DEFLATE) throw new DamagedError('unknown compression method');
  if ((flags & RESERVED!) !== 0) throw new DamagedError('unknown header flags set');
  if ((flags & HAS_EXTRA!) !== 0) await input.take((await input.take(2)).readUInt16LE());
  if ((flags & HAS_NAME!) !== 0) await skipText(input);
  if ((flags & HAS_COMMENT!) !== 0) await skipText(input);
  if ((flags & HAS_CRC!) !== 0) await input.take(2);
}

/** Reads chunk by chunk: the sender chooses the length of a name. */
async function skipText(input: Input): Promise<void> {
  for (;;) {
    const bytes = await input.next();
    if (bytes === null) throw new CutShortError();
    const end = bytes.indexOf(0);
    if (end === -1) continue;
    input.giveBack(bytes.subarray(end + 1));
    return;
  }
}

async function* inflateMember(input: Input, chunkSize: number): AsyncGenerator<Buffer> {
  const short = inflateShort(input.held());
  if (short === null) {
    yield* inflateLong(input, chunkSize);
    return;
  }
  await input.take(short.taken);
  if (short.bytes.length > 0) yield short.bytes;
  await checkTrailer(input, crc32(short.bytes), short.bytes.length);
}

/** Limits of a short member. */
const MOST_SHORT_BYTES = 16 * 1024;
const MOST_SHORT_INFLATED = 128 * 1024;

/** Some senders write one member per line. Inflating it synchronously takes a tenth of the time of a stream. @returns null if the member does not end within the bytes */
function inflateShort(held: Buffer): { readonly bytes: Buffer; readonly taken: number } | null {
  const begin = held.subarray(0, MOST_SHORT_BYTES);
  const options = {
    info: true,
    chunkSize: 4 * 1024,
    maxOutputLength: MOST_SHORT_INFLATED,
    finishFlush: constants.Z_SYNC_FLUSH,
  };
  try {
    const { buffer, engine } = inflateRawSync(begin, options) as unknown as SyncInfo;
    return engine.bytesWritten < begin.length ? { bytes: buffer, taken: engine.bytesWritten } : null;
  } catch {
    // The stream yields the content before the damage.
    return null;
  }
}

/** Result of node:zlib with the option `info`, which is missing in its types. */
interface SyncInfo {
  readonly buffer: Buffer;
  /** `bytesWritten`: the used bytes of the input. */
  readonly engine: { readonly bytesWritten: number };
}

async function* inflateLong(input: Input, chunkSize: number): AsyncGenerator<Buffer> {
  // The end of the input must not be an error of the stream, which would lose its output.
  const inflater = createInflateRaw({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
  const feeding = feed(input, inflater).catch((error: Error) => void inflater.destroy(error));
  let sum = 0;
  let bytes = 0;
  try {
    for await (const chunk of inflater as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    inflater.destroy();
    await feeding;
  }
  await checkTrailer(input, sum, bytes);
}

async function checkTrailer(input: Input, sum: number, bytes: number): Promise<void> {
  const trailer = await input.take(8);
  if (trailer.readUInt32LE() !== sum) throw new DamagedError('incorrect data check');
  if (trailer.readUInt32LE(4) !== bytes % 2 ** 32) throw new DamagedError('incorrect length check');
}

/** Writes bytes until the member ends, and returns unused bytes to the input. */
async function feed(input: Input, inflater: InflateRaw): Promise<void> {
  let given = 0;
  const closed = new Promise<void>((resolve) => void inflater.once('close', resolve));
  for (let piece = await input.next(); piece !== null; piece = await input.next()) {
    const bytes = piece;
    given += bytes.length;
    // A closed inflater may never call back.
    await Promise.race([new Promise<void>((resolve) => inflater.write(bytes, () => resolve())), closed]);
    const unused = given - inflater.bytesWritten;
    if (unused > 0) input.giveBack(bytes.subarray(bytes.length - unused));
    if (unused > 0 || inflater.destroyed) return;
  }
  inflater.end();
}

/** Reads bytes from the chunks on demand. */
interface Input {
  /** The next chunk, or the rest of the last one; null at the end. */
  next(): Promise<Buffer | null>;
  giveBack(bytes: Buffer): void;
  /** The buffered bytes. */
  held(): Buffer;
  /** @throws CutShortError if there are fewer */
  take(bytes: number): Promise<Buffer>;
  /** The byte at an offset ahead; undefined after the end. */
  peek(at: number): Promise<number | undefined>;
  /** Reads to the end. @returns the number of bytes */
  skipAll(): Promise<number>;
}

function createInput(chunks: AsyncIterator<Buffer>): Input {
  let held: Buffer = Buffer.alloc(0);

  /** @returns whether at least `bytes` bytes are available */
  async function hold(bytes: number): Promise<boolean> {
    while (held.length < bytes) {
      const { value, done } = await chunks.next();
      if (done) return false;
      held = held.length === 0 ? value : Buffer.concat([held, value]);
    }
    return true;
  }

  async function next(): Promise<Buffer | null> {
    if (!(await hold(1))) return null;
    const bytes = held;
    held = Buffer.alloc(0);
    return bytes;
  }

  return {
    next,
    held: () => held,
    giveBack(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([bytes, held]);
    },
    async take(bytes) {
      if (!(await hold(bytes))) throw new CutShortError();
      const taken = held.subarray(0, bytes);
      held = held.subarray(bytes);
      return taken;
    },
    async peek(at) {
      await hold(at + 1);
      return held[at];
    },
    async skipAll() {
      let bytes = 0;
      for (let one = await next(); one !== null; one = await next()) bytes += one.length;
      return bytes;
    },
  };
}
