import type { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { EXCEPTION_TAG_HEADER, refuseException } from './exception-at-end.js';
import { timeout, translate } from './store-errors.js';

/**
 * Answers as files: the engine writes them in the format that is asked for, and their bytes pass through this process as they are. However many
 * rows there are, none is read here.
 */

export const answerFormats = ['CSVWithNames', 'JSONEachRow', 'Parquet'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

export const answerCompressions = ['none', 'gzip', 'zstd'] as const;
export type AnswerCompression = (typeof answerCompressions)[number];

export interface FileStatement {
  /** As those of a read (client.ts). */
  readonly name: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number | boolean | Date | readonly (string | number)[]>>;
  readonly format: AnswerFormat;
  /** Of the whole file; Parquet compresses its columns by itself, and takes none. */
  readonly compression: AnswerCompression;
  /** The engine gives up after this. */
  readonly timeoutMs: number;
  /** Gives it up, also while its bytes are read. */
  readonly signal?: AbortSignal | undefined;
}

export interface AnswerFile {
  /** They come when the engine has written them all: a statement that fails has given none. */
  readonly bytes: Readable;
  /** Of the answer. */
  readonly rows: number;
}

export interface AnswerFiles {
  /** @throws as ClickHouseReader.read, but never for a long answer. */
  readFile(statement: FileStatement): Promise<AnswerFile>;
}

/** Past the engine's own limit. */
const GRACE_MS = 30_000;
/** Of one statement: half of it, and what is grouped or sorted goes to the disk. */
const SPILL_SHARE = 0.5;

/** Tells the embedded engine that the answer is to be a file; a server writes a long answer to its disk by itself. */
export const FILE_HEADER = 'x-loglane-answer';

/** Settings of what is written, whoever writes it. */
const settings = {
  // RFC 4180.
  output_format_csv_crlf_end_of_line: 1,
  format_csv_null_representation: '',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_escape_forward_slashes: 0,
  // Texts that are no UTF-8 would make a file that no reader of JSON takes.
  output_format_json_validate_utf8: 1,
  output_format_parquet_string_as_string: 1,
  output_format_parquet_compression_method: 'zstd',
  // Groups of a million rows with long texts would take most of the engine's memory.
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_row_group_size_bytes: String(64 * 1024 ** 2),
} as const;

export async function readFile(
  client: ClickHouseClient,
  { name, sql, params, format, compression, timeoutMs, signal }: FileStatement,
  { maxMemoryBytes }: { readonly maxMemoryBytes: number },
): Promise<AnswerFile> {
  signal?.throwIfAborted();
  let isLate = false;
  const ended = new AbortController();
  const end = () => ended.abort();
  const deadline = setTimeout(() => {
    isLate = true;
    end();
  }, timeoutMs + GRACE_MS);
  signal?.addEventListener('abort', end, { once: true });
  const forget = () => {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', end);
  };
  const spill = String(Math.floor(maxMemoryBytes * SPILL_SHARE));
  try {
    const { stream, summary, response_headers } = await client.exec({
      query: `${sql}\nFORMAT ${format}`,
      query_params: params,
      abort_signal: ended.signal,
      decompress_response_stream: false,
      http_headers: {
        [FILE_HEADER]: 'file',
        ...(compression === 'none' ? {} : { 'Accept-Encoding': compression }),
      },
      clickhouse_settings: {
        ...settings,
        log_comment: name,
        max_execution_time: Math.ceil(timeoutMs / 1000),
        max_memory_usage: String(maxMemoryBytes),
        max_bytes_before_external_group_by: spill,
        max_bytes_before_external_sort: spill,
        join_algorithm: 'hash',
        // Its status is the whole answer's, and the rows are counted when its head is sent.
        wait_end_of_query: 1,
        enable_http_compression: compression === 'none' ? 0 : 1,
        readonly: '2',
        // After everyday reads.
        priority: '2',
      },
    });
    // The client hears no more of it once the head is there.
    const giveUp = () => stream.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', giveUp, { once: true });
    stream.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      forget();
    });
    // The deadline is the statement's; its bytes go as fast as their reader takes them.
    clearTimeout(deadline);
    const tag = z.string().optional().parse(response_headers[EXCEPTION_TAG_HEADER]);
    const rows = rowsIn(summary);
    if (rows === null) {
      stream.destroy();
      throw new Error('the answer does not say how many rows it has');
    }
    return { bytes: refuseException(stream, tag), rows };
  } catch (error) {
    forget();
    if (signal?.aborted) throw signal.reason;
    throw isLate ? timeout(error) : translate(error);
  }
}

/** Told by whoever has written the whole answer before its head. @returns null: it is not told */
function rowsIn(summary: { readonly result_rows?: string } | undefined): number | null {
  const told = z
    .string()
    .regex(/^\d{1,15}$/)
    .safeParse(summary?.result_rows);
  return told.success ? Number(told.data) : null;
}
