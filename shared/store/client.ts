import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { z } from 'zod';
import { HOUR_MS } from '../durations.js';
import type { Logger } from '../logging/log.js';
import { type AnswerFiles, readFile } from './answer-file.js';
import { readCaughtUp, serverOf } from './caught-up-read.js';
import { type ReadStatistics, statisticsOf } from './compact-answer.js';
import { rangeQuery } from './damaged-part.js';
import { parseAnswer } from './parse-answer.js';
import { createDamageReports } from './report-damage.js';
import {
  failedWith,
  InsertEndedError,
  ReadEndedError,
  StoreUnavailableError,
  timeout,
  translate,
} from './store-errors.js';

/**
 * Access to ClickHouse: a reader that only queries, and a writer that inserts and migrates. Both use ClickHouse's HTTP
 * interface, to a server or to the embedded engine.
 */

export type QueryParameter = string | number | boolean | Date | readonly (string | number)[];

/**
 * A website's data: everything, which hours have requests, or all tables except `requests` and its rollups, for example
 * the tables of late verdicts, crawls and connected sources.
 */
export type DataPart = 'everything' | 'filled_hours' | 'other_tables';

/** Data that determines an answer about a website. `hours`: its other tables, and its rows in these hours since the epoch (UTC). */
export type RestsOn =
  | { readonly websiteId: string; readonly part: DataPart }
  | { readonly websiteId: string; readonly hours: readonly number[] };

/** A query: SQL with bound `{name: Type}` parameters, and the schema of an answer row. */
export interface Query<Row> {
  /** Identifies the caller in the database's log (log_comment); low cardinality, e.g. `summary.totals`. */
  readonly name: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
  readonly row: z.ZodType<Row>;
  /** Time limit of the engine; default 30,000 ms. */
  readonly timeoutMs?: number;
  /**
   * For a query that reads raw rows of a whole window and may take long. It has its own sessions in the embedded
   * engine, and a lower priority on a server. It is not retried when the engine crashes, since it may be the cause.
   */
  readonly scan?: ScanOptions;
  /** Cancels the read. The engine ends the running statement if it can. */
  readonly signal?: AbortSignal | undefined;
  /** The answer depends only on this data, not on the current time. It can be cached while the data is unchanged. */
  readonly restsOn?: RestsOn | undefined;
  /**
   * Tables whose acknowledged rows the answer must include, on any replica. For readers that continue
   * from another process's writes. On replicated tables it costs a waiting statement per table.
   */
  readonly caughtUpWith?: readonly string[] | undefined;
  /** Most rows of the answer; default {@link MOST_ROWS}. */
  readonly mostRows?: number | undefined;
  /** Most bytes of the answer in the engine's memory; default {@link MOST_BYTES}. */
  readonly mostBytes?: number | undefined;
  /** Called once with the statistics when the answer has arrived. */
  readonly report?: ((statistics: ReadStatistics) => void) | undefined;
}

export interface ScanOptions {
  /** Rows that the engine processes between two checks of the time limit, if it can choose. */
  readonly blockRows?: number | undefined;
}

/** Functions with a reader or writer as a parameter throw its errors. */
export interface ClickHouseReader {
  /**
   * @throws StoreUnavailableError (engine unavailable), StoreTimeoutError (time limit), AnswerTooLongError,
   * ReadTooLargeError (memory limit), StoreDamagedError, InvalidRegexError, ReadEndedError (the query's signal fired),
   * Error (the query itself is wrong).
   */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

export interface InsertOptions {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Buffer;
  /** Format of the rows; default TabSeparated. */
  readonly format?: 'TabSeparated' | 'JSONEachRow' | 'Native';
  /** A repeated insert with the same token changes nothing, in the table and in its views' targets. */
  readonly deduplicationToken: string;
  /** The website, if all rows belong to one: caches of other websites stay valid. */
  readonly websiteId?: string | undefined;
  /** Most threads that the engine computes it on; default: as many as the engine is set to. */
  readonly threads?: number | undefined;
  /** Cancels the insert. The engine may still store its rows, so a repeat must use the same token. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClickHouseWriter {
  /**
   * Once it resolves, the memory of the rows can be reused.
   * @throws StoreUnavailableError, StoreTimeoutError, InsertEndedError (the signal fired), Error (the store refuses the
   * rows); a request may still be sending them
   */
  insert(options: InsertOptions): Promise<void>;
  /**
   * DDL and other statements without an answer.
   * @param params a `website_id` declares that only rows of that website change
   * @param settings of this statement
   */
  command(
    sql: string,
    params?: Query<unknown>['params'],
    settings?: Readonly<Record<string, string | number>>,
  ): Promise<void>;
}

export interface ClickHouse extends ClickHouseReader, ClickHouseWriter, AnswerFiles {
  /** Whether a trivial read is answered, in a session of everyday reads. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Inserts and DDL. */
const WRITE_TIMEOUT_MS = 120_000;
const DEFAULT_GRACE_MS = 5_000;
/** Limit of one answer. Its size depends on a website's logs, and this process buffers it. */
const MOST_ROWS = 500_000;
/**
 * Limit of one answer, in the engine's memory. A path may have 8 KiB, and clients choose it. An answer of 61 MB of JSON
 * took 470 MB and blocked the event loop for 1.6 s. A list of 50,000 ordinary pages has some 4 MB.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/** An unanswered ping must release its connection before the next one. */
const PING_TIMEOUT_MS = 4_500;
/** A restarted engine listens by then. */
const REPEAT_AFTER_MS = 1_000;
/**
 * Priority of a scan. A server runs it only while nothing of higher priority (lower number) runs; the embedded engine
 * runs it in parallel.
 */
const SCAN_PRIORITY = '2';

export interface ClickHouseOptions {
  /** Memory limit of one read. */
  readonly maxMemoryBytes: number;
  /** How long a read may exceed its limit before the engine counts as hung. */
  readonly graceMs?: number;
  /**
   * Whether tables are replicated. An insert is then acknowledged only when most replicas have it, so that it survives
   * the loss of the replica that accepted it.
   */
  readonly replicated?: boolean;
  /**
   * Requests compressed answers, for remote servers. Inserts are not compressed: gzip would cost more CPU than
   * enriching.
   */
  readonly compressAnswers?: boolean;
  /** Logs each damaged part of the store once. */
  readonly logger?: Pick<Logger, 'error'>;
}

/**
 * Connects lazily: the first call shows whether the server listens.
 * @param url `http://user:password@host:port/database`
 */
export function connectClickHouse(url: string, options: ClickHouseOptions): ClickHouse {
  // Separate connections: reads that wait in the engine must not block inserts, scans or pings.
  const connect = (connections: number) =>
    createClient({
      url,
      // Every call has its own, shorter deadline.
      request_timeout: HOUR_MS,
      max_open_connections: connections,
      keep_alive: { enabled: true },
      compression: { response: options.compressAnswers ?? false, request: false },
      application: 'loglane',
      // Failures reach the caller, who logs them.
      log: { level: ClickHouseLogLevel.OFF },
    });
  const readers = connect(16);
  const scanners = connect(8);
  const writers = connect(16);
  const filers = connect(4);
  const pinger = connect(2);
  const readWith: ClickHouse['read'] = (query) =>
    read(query.scan === undefined ? readers : scanners, query, options);
  const explain = createDamageReports((part) => readWith(rangeQuery(part)), options.logger);
  return {
    read: (query) => readWith(query).catch(explain),
    readFile: (statement) => readFile(filers, statement, options).catch(explain),
    insert: (insertion) => insert(writers, insertion, options.replicated ?? false),
    command: (sql, params = {}, settings = {}) =>
      within(WRITE_TIMEOUT_MS, undefined, async (abort_signal) => {
        await writers.command({
          query: sql,
          query_params: params,
          abort_signal,
          clickhouse_settings: settings,
        });
      }).catch(explain),
    ping: async () =>
      (await pinger.ping({ select: true, abort_signal: AbortSignal.timeout(PING_TIMEOUT_MS) })).success,
    async close() {
      await Promise.all([readers, scanners, filers, writers, pinger].map((client) => client.close()));
    },
  };
}

async function read<Row>(
  client: ClickHouseClient,
  query: Query<Row>,
  { maxMemoryBytes, graceMs = DEFAULT_GRACE_MS, replicated = false }: ClickHouseOptions,
): Promise<Row[]> {
  const timeoutMs = query.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ask = () =>
    within(timeoutMs + graceMs, query.signal, async (abort_signal) => {
      const result = await client.query({
        query: query.sql,
        query_params: query.params,
        format: 'JSONCompact',
        abort_signal,
        clickhouse_settings: {
          log_comment: query.name,
          // The engine reads it as whole seconds.
          max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)),
          max_memory_usage: String(maxMemoryBytes),
          max_result_rows: String(query.mostRows ?? MOST_ROWS),
          max_result_bytes: String(query.mostBytes ?? MOST_BYTES),
          result_overflow_mode: 'throw',
          output_format_json_quote_64bit_integers: 0,
          // By default a path of slashes is twice as long in JSON.
          output_format_json_escape_forward_slashes: 0,
          // Joins here are small: one hash table is enough, without parallel building.
          join_algorithm: 'hash',
          // A server then sends the status after the complete answer, so a failure after the first rows is an error
          // status.
          wait_end_of_query: 1,
          // Neither writes nor changes others' data; 1 would refuse the other settings.
          readonly: '2',
          priority: query.scan === undefined ? '1' : SCAN_PRIORITY,
          ...(query.scan?.blockRows === undefined ? {} : { max_block_size: String(query.scan.blockRows) }),
        },
      });
      return { answer: await result.text(), server: serverOf(result) };
    });
  const tables = replicated ? (query.caughtUpWith ?? []) : [];
  // Waits for acknowledged inserts, but not for merges in the same queue.
  const catchUp = (table: string) =>
    within(WRITE_TIMEOUT_MS, query.signal, async (abort_signal) =>
      serverOf(await client.command({ query: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT`, abort_signal })),
    );
  const once = () => readCaughtUp(tables, { catchUp, ask });
  // The server may have closed an idle connection: retried immediately. The engine may be restarting: retried once
  // more, later.
  const later = async (error: unknown) => {
    if (!failedWith(error, ['ECONNREFUSED'])) throw error;
    await sleep(REPEAT_AFTER_MS);
    return once();
  };
  const repeated = (error: unknown) => {
    if (query.scan !== undefined) throw error;
    return failedWith(error, ['ECONNRESET', 'EPIPE']) ? once().catch(later) : later(error);
  };
  try {
    const text = await once().catch(repeated);
    const { answer, rows } = await parseAnswer(text, query.row);
    query.report?.({ ...statisticsOf(answer), characters: text.length });
    return rows;
  } catch (error) {
    if (query.signal?.aborted) throw new ReadEndedError('the read was cancelled', { cause: error });
    throw error;
  }
}

async function insert(
  client: ClickHouseClient,
  { table, columns, rows, format = 'TabSeparated', deduplicationToken, threads, signal }: InsertOptions,
  replicated: boolean,
): Promise<void> {
  const insertWithin = async (abort_signal: AbortSignal) => {
    const body = inTwoPieces(rows);
    // `insert` does not support the Native format.
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${format}`,
      values: body,
      abort_signal,
      clickhouse_settings: {
        insert_deduplication_token: deduplicationToken,
        deduplicate_blocks_in_dependent_materialized_views: 1,
        // Set explicitly: with another server profile a token would be ignored.
        async_insert: 0,
        insert_deduplicate: 1,
        // The default of 100 partitions would permanently refuse an upload with rows of more months.
        max_partitions_per_insert_block: '0',
        // An abandoned insert must not be applied long after its retry.
        max_execution_time: WRITE_TIMEOUT_MS / 1000,
        // The views' rows are already grouped by the whole key. Merging them again costs 5 % of an insert.
        optimize_on_insert: 0,
        // Sequential views would use only one core. The engine sets the number of threads
        // (deploy/embedded/engine/engine-main.ts). A repeat finds each target's own token, in any order of writing.
        parallel_view_processing: 1,
        ...(threads === undefined ? {} : { max_threads: threads }),
        ...(replicated ? { insert_quorum: 'auto' } : {}),
        // By default a first row that looks like the column names is dropped as a header.
        input_format_tsv_detect_header: 0,
      },
    });
    // Reading the empty response to its end releases the connection.
    await finished(stream.resume());
    if (!body.readableEnded)
      throw new StoreUnavailableError('an insert was answered before all its rows were sent');
  };
  try {
    await within(WRITE_TIMEOUT_MS, signal, insertWithin);
  } catch (error) {
    if (signal?.aborted) throw new InsertEndedError('the insert was cancelled', { cause: error });
    throw error;
  }
}

/**
 * Sends the last byte as a separate chunk. If the first chunk exceeds the stream's buffer, the stream requests the last
 * byte only after the first chunk has left the process. At the stream's end the caller may therefore reuse the memory.
 * A response before that is a fault, for example of a proxy that acknowledges early.
 */
function inTwoPieces(rows: Buffer): Readable {
  return Readable.from([rows.subarray(0, -1), Buffer.from(rows.subarray(-1))], { objectMode: false });
}

/**
 * Runs a call until its deadline or its caller's signal. Converts the client's failures, so that no caller reads error
 * codes.
 */
async function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // Not `AbortSignal.any`: the caller's signal may live as long as its partition, and would retain each combined
  // signal.
  const ended = new AbortController();
  const end = () => ended.abort();
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    end();
  }, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await call(ended.signal);
  } catch (error) {
    throw late ? timeout(error) : translate(error);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', end);
  }
}
