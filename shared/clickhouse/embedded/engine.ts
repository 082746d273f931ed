import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ChdbQueryStream, Session } from 'chdb';
import { EngineError } from './engine-error.js';
import { createSessionPool } from './session-pool.js';

const require = createRequire(import.meta.url);

/** The engine behind two pools of sessions: long reads never hold up a write, nor writes a read. */
export interface Engine {
  /** Whole answer at once. */
  query(sql: string, role: 'reader' | 'writer', signal?: AbortSignal): Promise<EngineAnswer>;
  /**
   * Hands the answer to `consume` block by block, for formats whose blocks can be joined. The session stays taken
   * until `consume` has settled and the engine has let go of the query.
   */
  stream(
    sql: string,
    format: string,
    consume: (blocks: AsyncGenerator<Uint8Array>) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void>;
  insert(insertion: EngineInsertion): Promise<{ writtenRows: number; writtenBytes: number }>;
  close(): Promise<void>;
}

export interface EngineAnswer {
  readonly body: Uint8Array;
  readonly readRows: number;
  readonly readBytes: number;
  readonly elapsedSeconds: number;
}

export interface EngineInsertion {
  /** `INSERT INTO … SETTINGS … FORMAT …`, without data. */
  readonly head: string;
  /** Rows in the format that `head` names; must not change until the insert settles. */
  readonly data: Buffer;
  readonly signal?: AbortSignal;
}

export interface EngineOptions {
  readonly directory: string;
  readonly readers: number;
  readonly writers: number;
  readonly maxQueued: number;
  /** Server settings as `--name=value`. */
  readonly serverArguments: readonly string[];
}

/**
 * The binding's own insert takes parts of a statement and text formats alone; what lies under it takes a statement's
 * head and bytes in any format. The version of the package is pinned for this.
 */
interface NativeBinding {
  InsertRawAsyncConnection(
    connection: unknown,
    head: string,
    data: Buffer,
    countLines: boolean,
  ): Promise<{ rowsWritten?: number; bytesWritten?: number }>;
}

function loadBinding(): { chdb: typeof import('chdb'); native: NativeBinding } {
  const chdb = require('chdb') as typeof import('chdb');
  const root = dirname(require.resolve('chdb/package.json'));
  const { loadNative } = require(join(root, 'dist', 'loader.js')) as { loadNative(): NativeBinding };
  return { chdb, native: loadNative() };
}

/** @throws Error when the directory can't be opened; the engine writes the reason to standard error. */
export function openEngine(options: EngineOptions): Engine {
  const { chdb, native } = loadBinding();
  const open = () => new chdb.Session(options.directory, { connectionArgs: [...options.serverArguments] });
  const sessions = {
    reader: Array.from({ length: options.readers }, open),
    writer: Array.from({ length: options.writers }, open),
  };
  const pools = {
    reader: createSessionPool(sessions.reader, options.maxQueued),
    writer: createSessionPool(sessions.writer, options.maxQueued),
  };

  return {
    query: (sql, role, signal) =>
      pools[role].use(async (session) => {
        const answer = await session.queryAsync(sql, { format: 'Null' });
        return {
          body: answer.bytes(),
          readRows: answer.rowsRead,
          readBytes: answer.bytesRead,
          elapsedSeconds: answer.elapsed,
        };
      }, signal),
    stream: (sql, format, consume, signal) =>
      pools.reader.use((session) => streamFrom(session, sql, format, consume), signal),
    insert: ({ head, data, signal }) =>
      pools.writer.use(async (session) => {
        const written = await native.InsertRawAsyncConnection(session.connection, head, data, false);
        if (typeof written.rowsWritten !== 'number') {
          throw new EngineError(1002, 'UNKNOWN_EXCEPTION', 'the engine did not say how many rows it wrote');
        }
        return { writtenRows: written.rowsWritten, writtenBytes: written.bytesWritten ?? 0 };
      }, signal),
    async close() {
      // A session that is closed under a running statement aborts the engine for the whole process.
      await Promise.all([pools.reader.drain(), pools.writer.drain()]);
      for (const session of [...sessions.reader, ...sessions.writer]) session.close();
    },
  };
}

async function streamFrom(
  session: Session,
  sql: string,
  format: string,
  consume: (blocks: AsyncGenerator<Uint8Array>) => Promise<void>,
): Promise<void> {
  const blocks = blocksOf(session.queryStream(sql, { format: format as 'JSONEachRow' }));
  try {
    await consume(blocks);
  } finally {
    // Waits for a fetch that still runs: the session's next statement must not meet it.
    await blocks.return(undefined);
  }
}

async function* blocksOf(stream: ChdbQueryStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield chunk.raw();
}
