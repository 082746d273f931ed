import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../../shared/durations.js';
import { createLimiter } from '../../../shared/pacing/limiter.js';
import { StoreBusyError } from '../../../shared/store/store-errors.js';

/**
 * Reads that may take longer than a caller waits. Past the deadline a read goes on in the background and the caller
 * hears "not ready"; the same question asked again joins the running read or takes its finished answer, which is a few
 * minutes old at most. An answer in time is never kept.
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
  /** Whether the question is being read, or was and its answer has not been fetched. */
  isUnderWay(key: string): boolean;
  /** Whether it was read, and `answer` would give at once what came of it. */
  isFinished(key: string): boolean;
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
const KEEP_MS = 5 * MINUTE_MS;
/** Reads of organisations that wait: one runs of each, so that nobody's reads fill the places that all share. */
const WAITING = { total: 64, mostOfOwner: 16 };
/** How long a background read may run, all its statements together. */
export const LONG_READ_MS = 110_000;

/** What waits for a place and is not asked for any more is not begun: callers repeat a call that is still being read within seconds. */
const ABANDONED_MS = MINUTE_MS;

class AbandonedError extends Error {}

interface Running {
  readonly outcome: Promise<Outcome>;
  /** When somebody asked for it last. */
  askedAt: number;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

export function createSlowReads(options: SlowReadsOptions): SlowReads {
  const { deadlineMs, places = 2, maxKept = 64, now, sleep } = options;
  const scans = createLimiter({
    most: places,
    mostOfOwner: 1,
    waiting: WAITING,
    full: () => new StoreBusyError('too many reads of single requests wait already'),
  });
  const running = new Map<string, Running>();
  const finished = new LRUCache<string, Outcome>({
    max: maxKept,
    ttl: KEEP_MS,
    ttlResolution: 0,
    perf: { now },
  });

  /** Never rejects. The place is held while the engine works, not while a caller waits. */
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

  /** For whoever asks again, but for what was never begun. */
  async function keepWhenDone(key: string, read: Running): Promise<void> {
    const done = await read.outcome;
    // Already fetched by a caller who waited for it.
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
