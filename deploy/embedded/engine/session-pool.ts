import { createLimiter } from '../../../shared/pacing/limiter.js';
import { aborted, tooManyQueries } from './engine-error.js';

/** Concurrent everyday reads of the API's callers. */
export const CALLERS_READS = 6;
/**
 * Sessions that the callers never occupy: for the API's fills of rows, three at once (services/api/kept-hours/join-fills.ts), and for short
 * statements of other services.
 */
const OTHER_READS = 4;

/** Number of sessions by role. LIBUV_THREADS in start-engine.ts is larger than their sum, so compression also gets threads. */
export const SESSIONS = { reader: CALLERS_READS + OTHER_READS, scanner: 2, writer: 2 };

/**
 * Lends the engine's sessions, each to one statement at a time, in order of arrival. A full queue refuses statements with
 * a server's error code.
 */
export interface SessionPool<Session> {
  /**
   * Runs `work` with its own session, which is free again when `work` settles. `signal` only removes a waiting caller from
   * the queue (canceller.ts cancels running statements).
   * @throws EngineError 202 when too many wait, 236 when `signal` fires first.
   */
  use<Result>(work: (session: Session) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Accepts no more work, and resolves when no work runs or waits. */
  drain(): Promise<void>;
}

export function createSessionPool<Session>(
  sessions: readonly Session[],
  maxQueued: number,
): SessionPool<Session> {
  const idle = [...sessions];
  const under = new Set<Promise<unknown>>();
  const places = createLimiter({
    most: sessions.length,
    waiting: { total: maxQueued, mostOfOwner: maxQueued },
    full: () =>
      tooManyQueries(`Too many simultaneous queries: ${sessions.length} run, ${places.waitingOf('')} wait`),
  });
  let draining = false;

  async function run<Result>(
    work: (session: Session) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const leave = await places.enter('', signal).catch((error: unknown) => {
      throw signal?.aborted ? aborted('the client disconnected') : error;
    });
    const session = idle.pop()!;
    try {
      return await work(session);
    } finally {
      idle.push(session);
      leave();
    }
  }

  return {
    async use(work, signal) {
      if (draining) throw aborted('the engine is stopping');
      const one = run(work, signal).finally(() => under.delete(one));
      under.add(one);
      return one;
    },
    async drain() {
      draining = true;
      await Promise.allSettled(under);
    },
  };
}
