import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import { createCanceller } from './canceller.js';
import { createSessionPool } from './session-pool.js';

const require = createRequire(import.meta.url);

/**
 * Role of a session: `reader` reads rollups, `scanner` reads raw rows of whole windows, which may take minutes, `writer` inserts
 * and changes tables. A statement never waits for a session of another role.
 */
export type SessionRole = 'reader' | 'scanner' | 'writer';

export interface RunOptions {
  readonly role: SessionRole;
  /** Removes a waiting statement from the queue. A running statement is cancelled by its `mark`. */
  readonly signal?: AbortSignal;
  /** The statement's unique log_comment. Without one, the statement can't be cancelled. */
  readonly mark?: string;
  /** Time limit of the statement in the engine, in milliseconds; see {@link EngineOptions.onOverrun}. */
  readonly limitMs?: number;
}

/** The engine behind a pool of sessions for each role. */
export interface Engine {
  /** @returns the complete answer. */
  query(sql: string, options: RunOptions): Promise<EngineAnswer>;
  close(): Promise<void>;
}

export interface EngineAnswer {
  readonly body: Uint8Array;
  /** Rows of the answer, or rows that an insert wrote. The engine's binding does not return the number of rows read. */
  readonly rows: number;
  readonly bytes: number;
  readonly elapsedSeconds: number;
}

export interface EngineOptions {
  readonly directory: string;
  readonly sessions: Readonly<Record<SessionRole, number>>;
  readonly maxQueued: number;
  /** Server settings as `--name=value`. */
  readonly serverArguments: readonly string[];
  /**
   * Called when a statement still runs after its limit, or when a session can't be used again. The engine checks the time
   * and KILL QUERY only between two blocks, so only the end of the process frees the session and its memory.
   */
  onOverrun(): void;
  /** Called as soon as a statement of a writer has failed in the engine, before other work starts. */
  onFailedWrite(): void;
}

/** @throws Error when the directory can't be opened; the engine writes the reason to standard error. */
export function openEngine(options: EngineOptions): Engine {
  // Loaded here, since the package is optional and has half a gigabyte. Only this process needs it.
  const chdb = require('chdb') as typeof import('chdb');
  const open = () => new chdb.Session(options.directory, { connectionArgs: [...options.serverArguments] });
  const roles = Object.keys(options.sessions) as SessionRole[];
  const sessions = new Map(roles.map((role) => [role, Array.from({ length: options.sessions[role] }, open)]));
  const pools = new Map(
    [...sessions].map(([role, own]) => [role, createSessionPool(own, options.maxQueued)]),
  );
  const poolOf = (role: SessionRole) => pools.get(role)!;
  const canceller = createCanceller(open());

  /** Runs work of the engine with its deadline. */
  async function inTime<T>(work: Promise<T>, limitMs: number | undefined): Promise<T> {
    const overrun = limitMs === undefined ? undefined : setTimeout(options.onOverrun, limitMs);
    try {
      return await work;
    } finally {
      clearTimeout(overrun);
    }
  }

  return {
    query: (sql, { role, signal, mark, limitMs }) =>
      poolOf(role).use(async (session) => {
        const forget = canceller.watch(signal, mark);
        const onFailure = role === 'writer' ? options.onFailedWrite : () => {};
        const whole = runWhole(session, sql, { onFailure, onStuck: options.onOverrun });
        const answer = await inTime(whole, limitMs).finally(forget);
        return {
          body: answer.bytes(),
          rows: answer.rowsRead,
          bytes: answer.bytesRead,
          elapsedSeconds: answer.elapsed,
        };
      }, signal),
    async close() {
      // Closing a session during a statement aborts the whole process.
      await Promise.all([...pools.values()].map((pool) => pool.drain()));
      await canceller.close();
      for (const session of [...sessions.values()].flat()) session.close();
    },
  };
}

/**
 * Runs a statement to its end. In 26.7 the output of a failed statement stays in the session, and precedes the answer of
 * the next statement. It is removed, so no caller gets rows of another.
 */
async function runWhole(
  session: Session,
  sql: string,
  { onFailure, onStuck }: { onFailure(): void; onStuck(): void },
) {
  try {
    return await session.queryAsync(sql, { format: 'Null' });
  } catch (error) {
    onFailure();
    for (let tries = 1; !(await takeOut(session)); tries++) {
      if (tries === CLEAN_TRIES) onStuck();
      await sleep(CLEAN_AGAIN_MS);
    }
    throw error;
  }
}

const CLEAN_AGAIN_MS = 100;
/** Half a minute: without memory for so long, a session recovers only with a new process. */
const CLEAN_TRIES = 300;

/** @returns false if the engine has no memory for this statement; the session must not be used then. */
async function takeOut(session: Session): Promise<boolean> {
  return session.queryAsync('SELECT 1 FORMAT Null', { format: 'Null' }).then(
    () => true,
    () => false,
  );
}
