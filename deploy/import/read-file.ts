import { createReadStream } from 'node:fs';
import unbzip2 from 'unbzip2-stream';
import { inflateGzip } from '../../shared/byte-streams/inflate-gzip.js';
import { inflateZstd } from '../../shared/byte-streams/inflate-zstd.js';
import { isZstd } from '../../shared/byte-streams/zstd-frame.js';

/** Reads and decompresses a file. The first bytes determine its compression, not its name. */

const READ_BYTES = 256 * 1024;
/** `zstd --long` and `zstd --ultra -22` need this window. */
const MOST_ZSTD_WINDOW_BYTES = 128 * 1024 ** 2;

/** @param path `-` is standard input. @param onRead called with the number of bytes of each read, before decompression */
export async function* readLogFile(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: READ_BYTES });
  yield* decompress(counted(file, onRead));
}

async function* counted(
  file: AsyncIterable<Buffer>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    onRead(chunk.length);
    yield chunk;
  }
}

function onTrailing(bytes: number): never {
  throw new Error(`${bytes} bytes after the end of the gzip data are not gzip`);
}

/** @throws Error if the data is damaged, ends early or is followed by other bytes; all readable content was yielded before */
export async function* decompress(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 4) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head;
    yield* chunks;
  }
  if (head[0] === 0x1f && head[1] === 0x8b)
    yield* inflateGzip(whole(), { chunkBytes: READ_BYTES, onTrailing });
  else if (isZstd(head)) yield* inflateZstd(whole(), { maxWindowBytes: MOST_ZSTD_WINDOW_BYTES });
  else if (/^BZh[1-9]/.test(head.toString('latin1', 0, 4))) yield* inflateBzip2(whole());
  else yield* whole();
}

/** The package is an old-style stream, which emits its output during each write: one or several blocks of 900 kB. */
async function* inflateBzip2(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const inflater = unbzip2();
  const inflated: Buffer[] = [];
  let failure: Error | null = null;
  inflater.on('data', (block: Buffer) => inflated.push(block));
  inflater.on('error', (error: Error) => {
    failure = new Error(`damaged bzip2 data: ${error.message}`);
  });
  for await (const chunk of chunks) {
    inflater.write(chunk);
    yield* inflated.splice(0);
    if (failure !== null) throw failure;
  }
  inflater.end();
  yield* inflated.splice(0);
  if (failure !== null) throw failure;
}
