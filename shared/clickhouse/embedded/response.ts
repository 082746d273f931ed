import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { EngineAnswer } from './engine.js';
import { type EngineError, toEngineError } from './engine-error.js';

/** Level 1: the answer goes to a client on the same machine, which asks for gzip out of habit. */
const GZIP = { level: 1 };

interface Form {
  readonly format: string;
  readonly compress: boolean;
}

/** Sends an answer that is complete. */
export async function sendAnswer(
  response: ServerResponse,
  {
    answer,
    format,
    compress,
  }: Form & { answer: EngineAnswer & { writtenRows?: number; writtenBytes?: number } },
): Promise<void> {
  const body = compress ? await gzipped(answer.body, GZIP) : answer.body;
  const read = readOf(answer.body, format);
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      ...(read === null ? {} : { read_rows: read.rows, read_bytes: read.bytes }),
      written_rows: String(answer.writtenRows ?? 0),
      written_bytes: String(answer.writtenBytes ?? 0),
      total_rows_to_read: '0',
      result_rows: String(answer.writtenRows === undefined ? answer.rows : 0),
      result_bytes: String(answer.body.length),
      elapsed_ns: String(Math.round(answer.elapsedSeconds * 1e9)),
    }),
  );
  setForm(response, { format, compress });
  response.setHeader('Content-Length', body.length);
  // One piece: header and body leave in one write.
  response.end(body);
}

/** Sends an answer that the engine has written to a file, and removes the file. Compressed, it is sent as it was written. */
export async function sendFile(
  response: ServerResponse,
  {
    path,
    compression,
    format,
    rows,
  }: { readonly path: string; readonly compression: string; readonly format: string; readonly rows: number },
): Promise<void> {
  try {
    const { size } = await stat(path);
    response.setHeader(
      'X-ClickHouse-Summary',
      JSON.stringify({ result_rows: String(rows), result_bytes: String(size) }),
    );
    setForm(response, { format, compress: false });
    if (compression !== 'none') response.setHeader('Content-Encoding', compression);
    response.setHeader('Content-Length', size);
    await pipeline(createReadStream(path, { highWaterMark: FILE_PIECE }), response).catch((error) => {
      // The client has left: nobody to tell.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  } finally {
    await removeFile(path);
  }
}

const FILE_PIECE = 256 * 1024;

export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

const gzipped = promisify(gzip);

/** Formats that end with what the engine read for them. Its binding does not tell it, so others can't say. */
const withStatistics = new Set(['JSON', 'JSONCompact', 'JSONStrings', 'JSONCompactStrings']);
/** Longer than the statistics at the end. */
const TAIL_BYTES = 256;
const STATISTICS = /"rows_read": (\d{1,20}),\s{1,8}"bytes_read": (\d{1,20})\s{1,8}\}\s{1,8}\}\s{0,8}$/;

function readOf(body: Uint8Array, format: string): { rows: string; bytes: string } | null {
  if (!withStatistics.has(format)) return null;
  const tail = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(-TAIL_BYTES);
  const [, rows, bytes] = STATISTICS.exec(tail.toString('latin1')) ?? [];
  return rows === undefined || bytes === undefined ? null : { rows, bytes };
}

/**
 * Sends blocks as the engine makes them, no faster than the client reads. The status is sent with the first block,
 * so that a query that fails at once still gets its proper one; a later failure goes into the body, marked by the
 * tag in the headers, as a server does it.
 */
export async function sendBlocks(
  response: ServerResponse,
  { blocks, format, compress }: Form & { blocks: AsyncIterator<Uint8Array> },
): Promise<void> {
  const first = await blocks.next();
  const tag = randomBytes(8).toString('hex');
  response.setHeader('X-ClickHouse-Exception-Tag', tag);
  setForm(response, { format, compress });
  await send(response, compress, withTrailingException(first, blocks, tag));
}

async function* withTrailingException(
  first: IteratorResult<Uint8Array>,
  blocks: AsyncIterator<Uint8Array>,
  tag: string,
): AsyncGenerator<Uint8Array> {
  try {
    for (let block = first; block.done !== true; block = await blocks.next()) yield block.value;
  } catch (error) {
    yield exceptionBlock(toEngineError(error), tag);
  }
}

function exceptionBlock(error: EngineError, tag: string): Buffer {
  const message = `${error.message}\n`;
  return Buffer.from(
    `\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`,
  );
}

function setForm(response: ServerResponse, { format, compress }: Form): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', contentTypeOf(format));
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  if (compress) response.setHeader('Content-Encoding', 'gzip');
}

async function send(
  response: ServerResponse,
  compress: boolean,
  blocks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const source = Readable.from(blocks, { objectMode: false });
  try {
    await (compress ? pipeline(source, createGzip(GZIP), response) : pipeline(source, response));
  } catch (error) {
    // The client has left: nobody to tell.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

function contentTypeOf(format: string): string {
  if (/^JSON.*EachRow/.test(format)) return 'application/x-ndjson; charset=UTF-8';
  if (format.startsWith('JSON')) return 'application/json; charset=UTF-8';
  if (format.startsWith('CSV')) return 'text/csv; charset=UTF-8; header=absent';
  if (/^(TabSeparated|TSV)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  return /^(Native|RowBinary|Parquet|Arrow|Avro|ORC)/.test(format)
    ? 'application/octet-stream'
    : 'text/plain; charset=UTF-8';
}
