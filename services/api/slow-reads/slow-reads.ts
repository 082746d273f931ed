import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../shared/durations.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { StoreBusyError } from '../../../shared/store/store-errors.js';

/**
 * Reads that may take longer than a caller waits. After the deadline a read continues in the background, and the caller gets "not
 * ready". A repeat of the question joins the running read or takes its finished answer, which is at most a few minutes old. An answer
 * that is ready in time is never cached.
 */
export interface SlowReads {
  /**
   * @param key identifies the question: caller and everything that changes the answer.
   * @param owner the organisation; one of its reads runs at a time, others wait.
   * @param read gets a function that returns its remaining time in milliseconds. A failed background read throws in the call that
   * fetches it.
   * @param patienceMs maximum wait of the caller, even if the deadline is later.
   * @throws StoreUnavailableError if too many reads wait.
   */
  answer<T>(
    key: string,
    owner: string,
    read: (timeLeft: () => number) => Promise<T>,
    patienceMs?: number,
  ): Promise<Slow<T>>;
  /** Whether the question is being read, or its finished answer was not fetched yet. */
  isUnderWay(key: string): boolean;
  /** Whether the read is finished, so that `answer` returns its result at once. */
  isFinished(key: string): boolean;
}

export type Slow<T> = { readonly ready: true; readonly value: T } | { readonly ready: false };

export interface SlowReadsOptions {
  readonly deadlineMs: number;
  /** Maximum number of concurrent reads; the embedded engine has this many sessions for them. */
  readonly places?: number;
  /** Finished answers that wait to be fetched; the oldest is dropped first. */
  readonly maxKept?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or earlier when the signal aborts. */
  readonly sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** Time for which a finished answer waits to be fetched. */
const KEEP_MS = 5 * MINUTE_MS;
/** Waiting reads. One read per organisation runs at a time, so that no organisation fills all shared slots. */
const WAITING = { total: 64, mostOfOwner: 16 };
/** Maximum duration of a background read with all its statements. */
export const LONG_READ_MS = 110_000;

/** A read that waits for a slot and was not requested for this time is not started: callers repeat their calls within seconds. */
const ABANDONED_MS = MINUTE_MS;

class AbandonedError extends Error {}

interface Running {
  readonly outcome: Promise<Outcome>;
  /** Time of the last request for it. */
  askedAt: number;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

export function createSlowReads(options: SlowReadsOptions): SlowReads {
  const { deadlineMs, places = 2, maxKept = 64, now, sleep } = options;
  const scans = createLimiter({
    most: places,
    mostOfOwner: 1,
    waiting: WAITING,
    full: () => new StoreBusyError('too many reads of single requests are waiting'),
  });
  const running = new Map<string, Running>();
  const finished = new LRUCache<string, Outcome>({
    max: maxKept,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** Never rejects. A read uses its slot while the engine works, not while a caller waits. */
  async function run(
    key: string,
    owner: string,
    read: (timeLeft: () => number) => Promise<unknown>,
  ): Promise<Outcome> {
    try {
      const value = await scans.run(owner, async () => {
        if (now() - (running.get(key)?.askedAt ?? now()) > ABANDONED_MS) throw new AbandonedError();
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

  function start(key: string, owner: string, read: (timeLeft: () => number) => Promise<unknown>): Running {
    const started: Running = { outcome: run(key, owner, read), askedAt: now() };
    running.set(key, started);
    return started;
  }

  /** Keeps the result for the next call, unless the read never started. */
  async function keepWhenDone(key: string, read: Running): Promise<void> {
    const done = await read.outcome;
    // Already fetched by a waiting caller.
    if (running.get(key) !== read) return;
    running.delete(key);
    if (!('error' in done && done.error instanceof AbandonedError)) finished.set(key, done);
  }

  return {
    isUnderWay: (key) => running.has(key) || finished.has(key),
    isFinished: (key) => finished.has(key),
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
      const current = joined ?? start(key, owner, read);
      current.askedAt = now();
      const inTime = await beforeDeadline(current.outcome, patienceMs);
      if (inTime !== null) {
        if (running.get(key) === current) running.delete(key);
        finished.delete(key);
        return unwrap<T>(inTime);
      }
      if (joined === undefined) void keepWhenDone(key, current);
      return { ready: false };
    },
  };
}

function unwrap<T>(outcome: Outcome): Slow<T> {
  if ('error' in outcome) throw outcome.error;
  return { ready: true, value: outcome.value as T };
}
