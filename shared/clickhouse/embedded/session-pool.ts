import { aborted, tooManyQueries } from './engine-error.js';

/**
 * Lends out the engine's sessions, each to one statement at a time, the longest waiting first. Who finds the queue
 * full is turned away as a server would.
 */
export interface SessionPool<Session> {
  /**
   * Runs `work` with a session of its own. The session is free again when `work` settles: `signal` takes a waiting
   * caller out of the queue, and ends nothing that runs (canceller.ts does).
   * @throws EngineError 202 when too many wait, 236 when `signal` fires first.
   */
  use<Result>(work: (session: Session) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Takes no more work, and resolves when none runs or waits. */
  drain(): Promise<void>;
}

export function createSessionPool<Session>(
  sessions: readonly Session[],
  maxQueued: number,
): SessionPool<Session> {
  const idle = [...sessions];
  const waiting: ((session: Session) => void)[] = [];

  let draining = false;
  let drained: () => void = () => {};

  function take(signal?: AbortSignal): Session | Promise<Session> {
    if (draining) throw aborted('the engine is stopping');
    if (signal?.aborted) throw aborted('the client went away');
    const session = idle.pop();
    if (session !== undefined) return session;
    if (waiting.length >= maxQueued) {
      throw tooManyQueries(`Too many simultaneous queries: ${sessions.length} run, ${waiting.length} wait`);
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(aborted('the client went away'));
      };
      const enter = (free: Session) => {
        signal?.removeEventListener('abort', leave);
        resolve(free);
      };
      waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  function giveBack(session: Session): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(session);
    else next(session);
    if (idle.length === sessions.length) drained();
  }

  return {
    async use(work, signal) {
      const session = await take(signal);
      try {
        return await work(session);
      } finally {
        giveBack(session);
      }
    },
    drain() {
      draining = true;
      return new Promise((resolve) => {
        drained = resolve;
        if (idle.length === sessions.length) resolve();
      });
    },
  };
}
