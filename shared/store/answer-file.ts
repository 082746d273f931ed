import type { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { z } from 'zod';
import { EXCEPTION_TAG_HEADER, refuseException } from './exception-at-end.js';
import { timeout, translate } from './store-errors.js';

/**
 * Answers as files. The engine writes them in the requested format, and their bytes pass through this process unchanged
 * and unparsed.
 */

export const answerFormats = ['CSVWithNames', 'JSONEachRow', 'Parquet'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

export const answerCompressions = ['none', 'gzip', 'zstd'] as const;
export type AnswerCompression = (typeof answerCompressions)[number];

export interface FileStatement {
  /** As in a read (client.ts). */
  readonly name: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, string | number | boolean | Date | readonly (string | number)[]>>;
  readonly format: AnswerFormat;
  /** Compression of the whole file. Parquet compresses its own columns and needs none. */
  readonly compression: AnswerCompression;
  /** Time limit of the engine. */
  readonly timeoutMs: number;
  /** Cancels the statement, even while its bytes are read. */
  readonly signal?: AbortSignal | undefined;
}

export interface AnswerFile {
  /** Sent when the engine has written all of them: a failed statement sends none. */
  readonly bytes: Readable;
  /** Rows of the answer. */
  readonly rows: number;
}

export interface AnswerFiles {
  /** @throws as ClickHouseReader.read, but never for a long answer. */
  readFile(statement: FileStatement): Promise<AnswerFile>;
}

/** Beyond the engine's own limit. */
const GRACE_MS = 30_000;
/** Share of a statement's memory at which grouping and sorting spill to disk. */
const SPILL_SHARE = 0.5;

/** Request header for the embedded engine: the answer is a file. A server spills a long answer to disk by itself. */
export const FILE_HEADER = 'x-loglane-answer';

/** Output settings, for server and embedded engine. */
const settings = {
  // RFC 4180.
  output_format_csv_crlf_end_of_line: 1,
  format_csv_null_representation: '',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_escape_forward_slashes: 0,
  // Invalid UTF-8 would make a file that no JSON reader accepts.
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
        // The status then covers the whole answer, and the header has the row count.
        wait_end_of_query: 1,
        enable_http_compression: compression === 'none' ? 0 : 1,
        readonly: '2',
        // After everyday reads.
        priority: '2',
      },
    });
    // The client ignores the signal once the header has arrived.
    const giveUp = () => stream.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', giveUp, { once: true });
    stream.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      forget();
    });
    // The deadline applies to the statement; its bytes flow as fast as they are read.
    clearTimeout(deadline);
    const tag = z.string().optional().parse(response_headers[EXCEPTION_TAG_HEADER]);
    const rows = rowsIn(summary);
    if (rows === null) {
      stream.destroy();
      throw new Error('the answer has no row count');
    }
    return { bytes: refuseException(stream, tag), rows };
  } catch (error) {
    forget();
    if (signal?.aborted) throw signal.reason;
    throw isLate ? timeout(error) : translate(error);
  }
}

/** Row count, from an engine that wrote the whole answer before its header. @returns null: missing */
function rowsIn(summary: { readonly result_rows?: string } | undefined): number | null {
  const parsed = z
    .string()
    .regex(/^\d{1,15}$/)
    .safeParse(summary?.result_rows);
  return parsed.success ? Number(parsed.data) : null;
}
