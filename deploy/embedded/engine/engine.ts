import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import { createCanceller } from './canceller.js';
import { createSessionPool } from './session-pool.js';

const require = createRequire(import.meta.url);

/**
 * Who a session works for: `reader` answers from rollups, `scanner` reads raw rows of whole windows, which may take
 * minutes, `writer` inserts and changes tables. None waits for a session of another kind.
 */
export type SessionRole = 'reader' | 'scanner' | 'writer';

export interface RunOptions {
  readonly role: SessionRole;
  /** Takes a statement that still waits out of the queue; one that runs is ended by its `mark`. */
  readonly signal?: AbortSignal;
  /** The statement's own log_comment, which no other has: without one it runs to its end, whoever waits for it. */
  readonly mark?: string;
  /** The engine should have given the statement up by then; see {@link EngineOptions.onOverrun}. */
  readonly limitMs?: number;
}

/** The engine behind a pool of sessions for each role. */
export interface Engine {
  /** Whole answer at once. */
  query(sql: string, options: RunOptions): Promise<EngineAnswer>;
  close(): Promise<void>;
}

export interface EngineAnswer {
  readonly body: Uint8Array;
  /** Of the answer, or those that an insert wrote; what the engine read for it stands in no result of its binding. */
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
   * Called when the engine still works on a statement after its limit, or when a session can't be used again. It looks at the
   * clock, and at a KILL QUERY, between two blocks only: the session, and what the statement holds, come back with the process alone.
   */
  onOverrun(): void;
  /** Called at once when a statement of a writer has failed in the engine, before anything else is begun. */
  onFailedWrite(): void;
}

/** @throws Error when the directory can't be opened; the engine writes the reason to standard error. */
export function openEngine(options: EngineOptions): Engine {
  // Loaded here and not above: the package is optional, half a gigabyte, and only this process needs it.
  const chdb = require('chdb') as typeof import('chdb');
  const open = () => new chdb.Session(options.directory, { connectionArgs: [...options.serverArguments] });
  const roles = Object.keys(options.sessions) as SessionRole[];
  const sessions = new Map(roles.map((role) => [role, Array.from({ length: options.sessions[role] }, open)]));
  const pools = new Map(
    [...sessions].map(([role, own]) => [role, createSessionPool(own, options.maxQueued)]),
  );
  const poolOf = (role: SessionRole) => pools.get(role)!;
  const canceller = createCanceller(open());

  /** The engine's own work, under its deadline. */
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
      // A session that is closed under a running statement aborts the engine for the whole process.
      await Promise.all([...pools.values()].map((pool) => pool.drain()));
      await canceller.close();
      for (const session of [...sessions.values()].flat()) session.close();
    },
  };
}

/**
 * Runs a statement to its end. What it had written before it failed stays in the session and would stand before the next
 * statement's answer (measured on 26.7): it is taken out, so that nobody gets the rows of another.
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
/** Half a minute: a session that has no room for so long comes back with the process alone. */
const CLEAN_TRIES = 300;

/** @returns false where the engine has no room even for this; the session must not be lent out then. */
async function takeOut(session: Session): Promise<boolean> {
  return session.queryAsync('SELECT 1 FORMAT Null', { format: 'Null' }).then(
    () => true,
    () => false,
  );
}
