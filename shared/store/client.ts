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
 * The two ways into ClickHouse: a reader that can only ask, a writer that inserts and migrates. Both go through
 * ClickHouse's HTTP interface, to a server or to the embedded engine alike.
 */

export type QueryParameter = string | number | boolean | Date | readonly (string | number)[];

/** One question: SQL with bound `{name: Type}` parameters, and the shape of a row of its answer. */
export interface Query<Row> {
  /** Says in the database's own log who asked (log_comment); low cardinality, e.g. `summary.totals`. */
  readonly name: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
  readonly row: z.ZodType<Row>;
  /** The engine gives up after this; default 30,000 ms. */
  readonly timeoutMs?: number;
  /**
   * It reads raw rows of a whole window and may take long: it has sessions of its own in the embedded engine, and a
   * server lets it wait for others. It is not repeated when the engine ends under it: it may be what the engine ended of.
   */
  readonly scan?: ScanOptions;
  /** Gives the read up: nobody waits for it any more. A statement that runs is ended where the engine can. */
  readonly signal?: AbortSignal | undefined;
  /** A website: the answer follows from its data alone and from nothing of the moment, so that whoever knows it unchanged may keep it. */
  readonly restsOn?: string | undefined;
  /**
   * Tables of which the answer holds every row that was acknowledged before the read began, whichever replica took it. For whoever goes on from what
   * another process wrote: it costs a statement for each, that waits for the replica, where tables are replicated.
   */
  readonly caughtUpWith?: readonly string[] | undefined;
  /** Most rows of the answer; default {@link MOST_ROWS}. Its bytes are bounded by {@link MOST_BYTES} besides. */
  readonly mostRows?: number | undefined;
  /** Told once, when the answer is there, what the engine had to read for it. */
  readonly report?: ((statistics: ReadStatistics) => void) | undefined;
}

export interface ScanOptions {
  /** Rows that the engine works on between two looks at the clock, where it can choose. */
  readonly blockRows?: number | undefined;
}

/** Functions that take a reader or a writer throw what it throws. */
export interface ClickHouseReader {
  /**
   * @throws StoreUnavailableError (engine away), StoreTimeoutError (time limit), AnswerTooLongError, ReadTooLargeError (memory limit),
   * StoreDamagedError, InvalidRegexError, ReadEndedError (the query's signal fired), Error (the query itself is wrong).
   */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

export interface InsertOptions {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Buffer;
  /** How the rows are written; default TabSeparated. */
  readonly format?: 'TabSeparated' | 'JSONEachRow' | 'Native';
  /** A repeated insert with the same token changes nothing, in the table and in its views' targets. */
  readonly deduplicationToken: string;
  /** Whose rows they are, where all are of one website: who keeps answers of others may keep them. */
  readonly websiteId?: string | undefined;
  /** Most threads that the engine computes it on; default: as many as the engine is set to. */
  readonly threads?: number | undefined;
  /** Gives the insert up. The engine may still store its rows: whoever repeats it uses the same token. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClickHouseWriter {
  /**
   * Once it resolves, nothing reads the memory of the rows any more.
   * @throws StoreUnavailableError, StoreTimeoutError, InsertEndedError (the signal fired), Error (the store refuses the rows); a request may still send them then
   */
  insert(options: InsertOptions): Promise<void>;
  /**
   * DDL and other statements without an answer.
   * @param params one that binds `website_id` changes rows of that website alone.
   * @param settings of this one statement.
   */
  command(
    sql: string,
    params?: Query<unknown>['params'],
    settings?: Readonly<Record<string, string | number>>,
  ): Promise<void>;
}

export interface ClickHouse extends ClickHouseReader, ClickHouseWriter, AnswerFiles {
  /** Whether a trivial read is answered, in a session that everyday reads use. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Inserts and DDL. */
const WRITE_TIMEOUT_MS = 120_000;
const DEFAULT_GRACE_MS = 5_000;
/** Of one answer. What a website logs decides how many some have, and this process holds them all. */
const MOST_ROWS = 500_000;
/**
 * Of one answer, as the engine holds it: a path may have 8 KiB, and whoever sends requests chooses it. An answer of 61 MB of JSON took
 * this process 470 MB and held its event loop for 1.6 s. A list of 50,000 pages with ordinary paths has some 4 MB.
 */
const MOST_BYTES = 32 * 1024 ** 2;
/** One that gets no answer must not keep its connection for longer than the next comes. */
const PING_TIMEOUT_MS = 4_500;
/** An engine that was started again listens by then. */
const REPEAT_AFTER_MS = 1_000;
/** Of a scan; a server runs it when nothing of higher priority (lower number) runs, the embedded engine beside it. */
const SCAN_PRIORITY = '2';

export interface ClickHouseOptions {
  /** Most memory that one read may take. */
  readonly maxMemoryBytes: number;
  /** How long past its limit a read may stay unanswered before the engine is taken for hung. */
  readonly graceMs?: number;
  /**
   * The tables are replicated: an insert is acknowledged only when most replicas have it, so that what is committed
   * afterwards outlives the one that took it.
   */
  readonly replicated?: boolean;
  /** Asks for compressed answers; for servers over a network. Inserts go as they are: gzip would cost more CPU than enriching. */
  readonly compressAnswers?: boolean;
  /** Told once of each damaged part of the store that a statement needs. */
  readonly logger?: Pick<Logger, 'error'>;
}

/**
 * Connects lazily: the first call shows whether anything listens.
 * @param url `http://user:password@host:port/database`
 */
export function connectClickHouse(url: string, options: ClickHouseOptions): ClickHouse {
  // Connections of their own for each kind: reads that wait in the engine must hold up no insert, no scan and no ping.
  const connect = (connections: number) =>
    createClient({
      url,
      // Every call carries its own deadline; this only has to lie beyond them.
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
          max_result_bytes: String(MOST_BYTES),
          result_overflow_mode: 'throw',
          output_format_json_quote_64bit_integers: 0,
          // By default a path of slashes is twice as long in JSON.
          output_format_json_escape_forward_slashes: 0,
          // Joins here are small: one table, not one that many threads build.
          join_algorithm: 'hash',
          // A server sends the status when the answer is complete: a failure behind the first rows has its own then.
          wait_end_of_query: 1,
          // Neither writes nor changes what others see; 1 would refuse the settings beside it.
          readonly: '2',
          priority: query.scan === undefined ? '1' : SCAN_PRIORITY,
          ...(query.scan?.blockRows === undefined ? {} : { max_block_size: String(query.scan.blockRows) }),
        },
      });
      return { answer: await result.text(), server: serverOf(result) };
    });
  const tables = replicated ? (query.caughtUpWith ?? []) : [];
  // Acknowledged inserts are waited for, and not the merges of parts that are in the same queue.
  const catchUp = (table: string) =>
    within(WRITE_TIMEOUT_MS, query.signal, async (abort_signal) =>
      serverOf(await client.command({ query: `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT`, abort_signal })),
    );
  const once = () => readCaughtUp(tables, { catchUp, ask });
  // A connection that was kept open may have been closed by the other side in between: a read is repeated at once.
  // Or the engine is just being started anew: it is repeated once more.
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
    if (query.signal?.aborted) throw new ReadEndedError('the read was given up', { cause: error });
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
    // Not `insert`, which does not know the Native format.
    const { stream } = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT ${format}`,
      values: body,
      abort_signal,
      clickhouse_settings: {
        insert_deduplication_token: deduplicationToken,
        deduplicate_blocks_in_dependent_materialized_views: 1,
        // Said always, whatever a server's profile says: a token counts in neither an asynchronous insert nor without these.
        async_insert: 0,
        insert_deduplicate: 1,
        // Of 100 partitions at most by default. Rows of more months come in one upload, and then never went in.
        max_partitions_per_insert_block: '0',
        // What nobody waits for any more must not come long after its repeat.
        max_execution_time: WRITE_TIMEOUT_MS / 1000,
        // The views have grouped their rows by the whole key already; looking for more to merge costs 5 % of an insert.
        optimize_on_insert: 0,
        // One view after the other would keep one core busy. How many threads there are is the engine's to say (deploy/embedded/engine/engine-main.ts). A repeat
        // finds each target's own token, in whatever order the targets were written.
        parallel_view_processing: 1,
        ...(threads === undefined ? {} : { max_threads: threads }),
        ...(replicated ? { insert_quorum: 'auto' } : {}),
        // By default a first row that looks like the column names is dropped as a header.
        input_format_tsv_detect_header: 0,
      },
    });
    // The answer is empty; reading it to its end sets the connection free.
    await finished(stream.resume());
    if (!body.readableEnded)
      throw new StoreUnavailableError('an insert was answered before all its rows were sent');
  };
  try {
    await within(WRITE_TIMEOUT_MS, signal, insertWithin);
  } catch (error) {
    if (signal?.aborted) throw new InsertEndedError('the insert was given up', { cause: error });
    throw error;
  }
}

/**
 * The last byte is a chunk of its own. The stream asks for it only after the first chunk has left the process, where that is more than a stream's
 * buffer takes. So at the stream's end the caller may use the memory again, and an answer before the end is a fault (a proxy that acknowledges what it has not passed on).
 */
function inTwoPieces(rows: Buffer): Readable {
  return Readable.from([rows.subarray(0, -1), Buffer.from(rows.subarray(-1))], { objectMode: false });
}

/**
 * Runs a call until its deadline, or until its caller gives it up, and turns the client's failures into ours, so that no
 * caller reads error codes.
 */
async function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  call: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // Not `AbortSignal.any`: the caller's signal may live as long as its partition, and would keep each of them.
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
