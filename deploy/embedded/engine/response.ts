import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { EngineAnswer } from './engine.js';

/** Sends a complete answer. */
export function sendAnswer(
  response: ServerResponse,
  answer: EngineAnswer & { writtenRows?: number; writtenBytes?: number },
  format: string,
): void {
  const { body } = answer;
  const read = readOf(body, format);
  response.setHeader(
    'X-ClickHouse-Summary',
    JSON.stringify({
      ...(read === null ? {} : { read_rows: read.rows, read_bytes: read.bytes }),
      written_rows: String(answer.writtenRows ?? 0),
      written_bytes: String(answer.writtenBytes ?? 0),
      total_rows_to_read: '0',
      result_rows: String(answer.writtenRows === undefined ? answer.rows : 0),
      result_bytes: String(body.length),
      elapsed_ns: String(Math.round(answer.elapsedSeconds * 1e9)),
    }),
  );
  setForm(response, format);
  response.setHeader('Content-Length', body.length);
  // `end` sends header and body in one write.
  response.end(body);
}

/** Sends an answer from a file of the engine, and removes the file. A compressed file is sent unchanged. */
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
    setForm(response, format);
    if (compression !== 'none') response.setHeader('Content-Encoding', compression);
    response.setHeader('Content-Length', size);
    await pipeline(createReadStream(path, { highWaterMark: FILE_PIECE }), response).catch((error) => {
      // The client has disconnected, so no error can be sent.
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

/** Formats that end with statistics of the rows read. The engine's binding does not return them, so other formats have none. */
const withStatistics = new Set(['JSON', 'JSONCompact', 'JSONStrings', 'JSONCompactStrings']);
/** Exceeds the length of the statistics at the end. */
const TAIL_BYTES = 256;
const STATISTICS = /"rows_read": (\d{1,20}),\s{1,8}"bytes_read": (\d{1,20})\s{1,8}\}\s{1,8}\}\s{0,8}$/;

function readOf(body: Uint8Array, format: string): { rows: string; bytes: string } | null {
  if (!withStatistics.has(format)) return null;
  const tail = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(-TAIL_BYTES);
  const [, rows, bytes] = STATISTICS.exec(tail.toString('latin1')) ?? [];
  return rows === undefined || bytes === undefined ? null : { rows, bytes };
}

function setForm(response: ServerResponse, format: string): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', contentTypeOf(format));
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
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
