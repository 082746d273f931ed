import { Readable } from 'node:stream';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { z } from 'zod';

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
}

export interface ClickHouseReader {
  /** @throws StoreUnavailableError (engine away), StoreTimeoutError (time limit), Error (the query itself is wrong). */
  read<Row>(query: Query<Row>): Promise<Row[]>;
}

export interface InsertOptions {
  readonly table: string;
  readonly columns: readonly string[];
  /** Rows in TabSeparated form. */
  readonly rows: Buffer;
  /** A repeated insert with the same token changes nothing, in the table and in its views' targets. */
  readonly deduplicationToken: string;
}

export interface ClickHouseWriter {
  insert(options: InsertOptions): Promise<void>;
  /** DDL and other statements without an answer. */
  command(sql: string): Promise<void>;
}

export interface ClickHouse extends ClickHouseReader, ClickHouseWriter {
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export class StoreUnavailableError extends Error {}
export class StoreTimeoutError extends Error {}

const TIMEOUT_EXCEEDED = '159';
const DEFAULT_TIMEOUT_MS = 30_000;

export function connectClickHouse(url: string, options: { maxMemoryBytes: number }): ClickHouse {
  const client = createClient({
    url,
    request_timeout: 120_000,
    max_open_connections: 16,
    keep_alive: { enabled: true },
    application: 'loglane',
  });
  return {
    read: (query) => read(client, query, options.maxMemoryBytes),
    insert: (insertion) => insert(client, insertion),
    command: async (sql) => {
      await guard(() => client.command({ query: sql }));
    },
    ping: async () => (await client.ping()).success,
    close: () => client.close(),
  };
}

async function read<Row>(
  client: ClickHouseClient,
  query: Query<Row>,
  maxMemoryBytes: number,
): Promise<Row[]> {
  return guard(async () => {
    const result = await client.query({
      query: query.sql,
      query_params: query.params,
      format: 'JSONEachRow',
      clickhouse_settings: {
        log_comment: query.name,
        max_execution_time: Math.max(1, Math.ceil((query.timeoutMs ?? DEFAULT_TIMEOUT_MS) / 1000)),
        max_memory_usage: String(maxMemoryBytes),
        output_format_json_quote_64bit_integers: 0,
      },
    });
    const rows = await result.json<unknown>();
    return rows.map((row) => query.row.parse(row));
  });
}

async function insert(
  client: ClickHouseClient,
  { table, columns, rows, deduplicationToken }: InsertOptions,
): Promise<void> {
  await guard(() =>
    client.insert({
      table,
      columns: columns as [string, ...string[]],
      values: Readable.from([rows], { objectMode: false }),
      format: 'TabSeparated',
      clickhouse_settings: {
        insert_deduplication_token: deduplicationToken,
        deduplicate_blocks_in_dependent_materialized_views: 1,
      },
    }),
  );
}

/** Turns the client's failures into ours, so that no caller reads error codes. */
async function guard<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === TIMEOUT_EXCEEDED) throw new StoreTimeoutError('the query ran out of time', { cause: error });
    if (code !== undefined && /^(E[A-Z]+|UND_)/.test(code)) {
      throw new StoreUnavailableError('ClickHouse is not reachable', { cause: error });
    }
    throw error;
  }
}
