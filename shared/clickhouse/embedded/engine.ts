import { createRequire } from 'node:module';
import type { ChdbQueryStream, Session } from 'chdb';
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
  close(): Promise<void>;
}

export interface EngineAnswer {
  readonly body: Uint8Array;
  readonly readRows: number;
  readonly readBytes: number;
  readonly elapsedSeconds: number;
}

export interface EngineOptions {
  readonly directory: string;
  readonly readers: number;
  readonly writers: number;
  readonly maxQueued: number;
  /** Server settings as `--name=value`. */
  readonly serverArguments: readonly string[];
}

/** @throws Error when the directory can't be opened; the engine writes the reason to standard error. */
export function openEngine(options: EngineOptions): Engine {
  // Loaded here and not above: the package is optional, half a gigabyte, and only this process needs it.
  const chdb = require('chdb') as typeof import('chdb');
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
