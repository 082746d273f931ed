import { LRUCache } from 'lru-cache';

/**
 * Reads that may take longer than a caller waits. Past the deadline a read goes on in the background and the caller
 * hears "not ready"; the same question asked again joins the running read or takes its finished answer. An answer in
 * time is never kept, so a caller who is not made to wait always gets fresh rows.
 */
export interface SlowReads {
  /**
   * @param key names the question: who asks and everything that changes the answer.
   * @param read gets the time that the engine may take. A background read that fails throws in the call that fetches it.
   */
  answer<T>(key: string, read: (timeoutMs: number) => Promise<T>): Promise<Slow<T>>;
}

export type Slow<T> = { readonly ready: true; readonly value: T } | { readonly ready: false };

export interface SlowReadsOptions {
  readonly deadlineMs: number;
  /** Reads that may outlive their deadline at once; further ones get the deadline as their time limit. */
  readonly maxLong?: number;
  /** Finished answers that wait to be fetched; the oldest goes first. */
  readonly maxKept?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or earlier when the signal aborts. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** How long a finished answer waits to be fetched. */
const KEEP_MS = 5 * 60_000;
/** How long a background read may run: less than the store's client waits for an answer (shared/clickhouse/client.ts). */
export const LONG_READ_MS = 110_000;

type Outcome = { readonly value: unknown } | { readonly error: unknown };

export function createSlowReads(options: SlowReadsOptions): SlowReads {
  const { deadlineMs, maxLong = 8, maxKept = 64, now, sleep } = options;
  const running = new Map<string, Promise<Outcome>>();
  const finished = new LRUCache<string, Outcome>({
    max: maxKept,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now },
  });
  let long = 0;

  /** Never rejects. The slot is held while the engine works, not while a caller waits. */
  async function run(read: (timeoutMs: number) => Promise<unknown>): Promise<Outcome> {
    const mayBeLong = long < maxLong;
    if (mayBeLong) long += 1;
    try {
      return { value: await read(mayBeLong ? LONG_READ_MS : deadlineMs) };
    } catch (error) {
      return { error };
    } finally {
      if (mayBeLong) long -= 1;
    }
  }

  async function beforeDeadline(outcome: Promise<Outcome>): Promise<Outcome | null> {
    const answered = new AbortController();
    const deadline = sleep(deadlineMs, answered.signal).then(() => null);
    try {
      return await Promise.race([outcome, deadline]);
    } finally {
      answered.abort();
    }
  }

  function start(key: string, read: (timeoutMs: number) => Promise<unknown>): Promise<Outcome> {
    const outcome = run(read);
    running.set(key, outcome);
    return outcome;
  }

  return {
    async answer<T>(key: string, read: (timeoutMs: number) => Promise<T>): Promise<Slow<T>> {
      const late = finished.get(key);
      if (late !== undefined) {
        finished.delete(key);
        return unwrap<T>(late);
      }
      const joined = running.get(key);
      const outcome = joined ?? start(key, read);
      const inTime = await beforeDeadline(outcome);
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
