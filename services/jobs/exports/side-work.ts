import { inTime } from '../../../shared/pacing/in-time.js';

/** A store that hangs must not gather what waits for it without end. */
const MOST_AT_ONCE = 16;

export interface SideWork {
  /** Begins a piece of work, in nobody's way. @returns false: so many are under way that it is left out */
  add(work: (signal: AbortSignal) => Promise<void>): boolean;
  /** Gives what is under way that many milliseconds to end; then its signal fires, and nobody waits for it any more. */
  end(ms: number): Promise<void>;
  /** Fires when nothing is waited for any more. */
  readonly signal: AbortSignal;
}

/** Work that follows on other work and may hang. @param onError told of what failed. @param longestMs of one piece: then its signal fires */
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
