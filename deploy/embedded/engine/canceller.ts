import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import { stringLiteral } from './literals.js';

/**
 * Cancels statements whose callers have disconnected. The engine's binding cannot interrupt a statement, but KILL QUERY in
 * another session can. Even then the engine stops only between two blocks.
 */
export interface Canceller {
  /**
   * Cancels the running statement when `signal` fires.
   * @param mark the statement's unique log_comment.
   * @returns a function to call when the statement has ended.
   */
  watch(signal: AbortSignal | undefined, mark: string | undefined): () => void;
  /** Resolves when the session is closed. */
  close(): Promise<void>;
}

/** The engine lists a statement only after parsing it, so a missing statement is looked for again. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2_000;

/** @param session used by the canceller only. */
export function createCanceller(session: Session): Canceller {
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one statement at a time, as a session requires. @returns whether the statement was found. */
  function kill(mark: string): Promise<boolean> {
    const sql = `KILL QUERY WHERE Settings['log_comment'] = ${stringLiteral(mark)} ASYNC FORMAT TSV`;
    const found = last.then(
      async () => (await session.queryAsync(sql, { format: 'Null' })).bytes().length > 0,
    );
    last = found.catch(() => {});
    return found.catch(() => false);
  }

  return {
    watch(signal, mark) {
      if (signal === undefined || mark === undefined) return () => {};
      let ended = false;
      const end = async () => {
        for (
          let pause = FIRST_PAUSE_MS;
          !ended && !(await kill(mark));
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
        )
          await sleep(pause);
      };
      if (signal.aborted) void end();
      else signal.addEventListener('abort', end, { once: true });
      return () => {
        ended = true;
        signal.removeEventListener('abort', end);
      };
    },
    async close() {
      await last;
      session.close();
    },
  };
}
