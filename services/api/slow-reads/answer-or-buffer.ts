import { LRUCache } from 'lru-cache';
import { createScanPlaces } from './scan-places.js';

/**
 * Reads that may take longer than a caller waits. Past the deadline a read goes on in the background and the caller
 * hears "not ready"; the same question asked again joins the running read or takes its finished answer. An answer in
 * time is never kept, so a caller who is not made to wait always gets fresh rows.
 */
export interface SlowReads {
  /**
   * @param key names the question: who asks and everything that changes the answer.
   * @param owner the organisation; one read of it runs at a time, others wait.
   * @param read is told how much time is left to it, in milliseconds, each time it asks. A background read that fails
   * throws in the call that fetches it.
   * @param patienceMs the caller waits no longer than this, however far the deadline is.
   * @throws StoreUnavailableError where too many wait.
   */
  answer<T>(
    key: string,
    owner: string,
    read: (timeLeft: () => number) => Promise<T>,
    patienceMs?: number,
  ): Promise<Slow<T>>;
}

export type Slow<T> = { readonly ready: true; readonly value: T } | { readonly ready: false };

export interface SlowReadsOptions {
  readonly deadlineMs: number;
  /** Reads that may run at once; the embedded engine has so many sessions for them. */
  readonly places?: number;
  /** Finished answers that wait to be fetched; the oldest goes first. */
  readonly maxKept?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or earlier when the signal aborts. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** How long a finished answer waits to be fetched. */
const KEEP_MS = 5 * 60_000;
const MAX_WAITING = 64;
const MAX_WAITING_OF_OWNER = 16;
/** How long a background read may run, all its statements together: less than the store's client waits for an answer (shared/clickhouse/client.ts). */
export const LONG_READ_MS = 110_000;

type Outcome = { readonly value: unknown } | { readonly error: unknown };

export function createSlowReads(options: SlowReadsOptions): SlowReads {
  const { deadlineMs, places = 2, maxKept = 64, now, sleep } = options;
  const scans = createScanPlaces({
    places,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOwner: MAX_WAITING_OF_OWNER,
  });
  const running = new Map<string, Promise<Outcome>>();
  const finished = new LRUCache<string, Outcome>({
    max: maxKept,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** Never rejects. The place is held while the engine works, not while a caller waits. */
  async function run(owner: string, read: (timeLeft: () => number) => Promise<unknown>): Promise<Outcome> {
    try {
      const value = await scans.use(owner, () => {
        const end = now() + LONG_READ_MS;
        return read(() => end - now());
      });
      return { value };
    } catch (error) {
      return { error };
    }
  }

  async function beforeDeadline(outcome: Promise<Outcome>, patienceMs: number): Promise<Outcome | null> {
    const answered = new AbortController();
    const deadline = sleep(Math.min(deadlineMs, patienceMs), answered.signal).then(() => null);
    try {
      return await Promise.race([outcome, deadline]);
    } finally {
      answered.abort();
    }
  }

  function start(
    key: string,
    owner: string,
    read: (timeLeft: () => number) => Promise<unknown>,
  ): Promise<Outcome> {
    const outcome = run(owner, read);
    running.set(key, outcome);
    return outcome;
  }

  return {
    async answer<T>(
      key: string,
      owner: string,
      read: (timeLeft: () => number) => Promise<T>,
      patienceMs = deadlineMs,
    ): Promise<Slow<T>> {
      const late = finished.get(key);
      if (late !== undefined) {
        finished.delete(key);
        return unwrap<T>(late);
      }
      const joined = running.get(key);
      const outcome = joined ?? start(key, owner, read);
      const inTime = await beforeDeadline(outcome, patienceMs);
      if (inTime !== null) {
        if (running.get(key) === outcome) running.delete(key);
        finished.delete(key);
        return unwrap<T>(inTime);
      }
      if (joined === undefined) {
        void outcome.then((done) => {
          // Already fetched by a caller who waited for it.
          if (running.get(key) !== outcome) return;
          running.delete(key);
          finished.set(key, done);
        });
      }
      return { ready: false };
    },
  };
}

function unwrap<T>(outcome: Outcome): Slow<T> {
  if ('error' in outcome) throw outcome.error;
  return { ready: true, value: outcome.value as T };
}
