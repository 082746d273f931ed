import { inTime } from '../../../shared/pacing/in-time.js';

/** Limits the waiting work if a store hangs. */
const MOST_AT_ONCE = 16;

export interface SideWork {
  /** Starts work in the background. @returns false: too much is under way, so the work is left out */
  add(work: (signal: AbortSignal) => Promise<void>): boolean;
  /** Gives running work so many milliseconds to end. Then its signal fires and it is not waited for. */
  end(ms: number): Promise<void>;
  /** Fires when nothing is waited for any more. */
  readonly signal: AbortSignal;
}

/** Background work that may hang. @param onError called with each failure. @param longestMs for one piece of work; then its signal fires */
export function createSideWork(onError: (error: unknown) => void, longestMs: number): SideWork {
  const under = new Set<Promise<void>>();
  const ended = new AbortController();
  return {
    signal: ended.signal,
    add(work) {
      if (under.size >= MOST_AT_ONCE) return false;
      const limit = AbortSignal.any([ended.signal, AbortSignal.timeout(longestMs)]);
      const piece: Promise<void> = work(limit)
        .catch(onError)
        .finally(() => under.delete(piece));
      under.add(piece);
      return true;
    },
    async end(ms) {
      await inTime(Promise.all(under), ms, []);
      ended.abort(new Error('the process ends'));
    },
  };
}
