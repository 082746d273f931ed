import { setMaxListeners } from 'node:events';
import { createCounter } from './counter.js';
import { createFairQueue, type Share } from './fair-queue.js';

/**
 * At most so many at once, in all and of one owner (a website, an organisation). Those that wait are bounded in number, and
 * owners take turns. A caller whose work belongs to nobody passes '' as the owner.
 */
export interface Limiter {
  /** Takes a free place. @returns the function that gives it back (calls after the first do nothing); null: none is free for the owner. */
  tryEnter(owner: string): Leave | null;
  /**
   * As {@link tryEnter}, and waits for a place where none is free.
   * @throws the signal's reason where it fires first; `full` where too many wait already.
   */
  enter(owner: string, signal?: AbortSignal): Promise<Leave>;
  /** Holds a place while the work runs. @throws as `enter`, and as the work. */
  run<Result>(owner: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Places that are taken. */
  taken(): number;
  waitingOf(owner: string): number;
}

export type Leave = () => void;

export interface LimiterOptions {
  /** Places of all owners together. */
  readonly most: number;
  /** Default: all of them. */
  readonly mostOfOwner?: number;
  /** An owner without a place gets one though all are taken: beyond `most` there is one of each owner. */
  readonly isFirstFree?: boolean;
  /** How many may wait; default: any number. */
  readonly waiting?: Share;
  /** The error of a caller for whom there is no room to wait. */
  readonly full?: (owner: string) => Error;
}

export function createLimiter({
  most,
  mostOfOwner = most,
  isFirstFree = false,
  waiting: share,
  full = () => new Error('too many wait already'),
}: LimiterOptions): Limiter {
  const inside = createCounter();
  const waiting = createFairQueue<(leave: Leave) => void>(share);

  function mayEnter(owner: string): boolean {
    const own = inside.of(owner);
    return own < mostOfOwner && (inside.total() < most || (isFirstFree && own === 0));
  }

  function occupy(owner: string): Leave {
    inside.add(owner, 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      inside.add(owner, -1);
      for (let next = waiting.take(mayEnter); next !== null; next = waiting.take(mayEnter))
        next.item(occupy(next.owner));
    };
  }

  /** Nobody is overtaken: an owner with a free place has nothing waiting. */
  const tryEnter = (owner: string) => (mayEnter(owner) ? occupy(owner) : null);

  function wait(owner: string, signal: AbortSignal | undefined): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const go = (leave: Leave) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(leave);
      };
      const giveUp = () => {
        waiting.remove(owner, go);
        reject(signal?.reason);
      };
      waiting.add(owner, go);
      if (signal === undefined) return;
      // Everything that waits for one caller listens to one signal.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  async function enter(owner: string, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const leave = tryEnter(owner);
    if (leave !== null) return leave;
    if (!waiting.hasRoom(owner)) throw full(owner);
    return wait(owner, signal);
  }

  return {
    tryEnter,
    enter,
    async run(owner, work, signal) {
      signal?.throwIfAborted();
      // Work that has a place begins before the caller goes on.
      const leave = tryEnter(owner) ?? (await enter(owner, signal));
      try {
        return await work();
      } finally {
        leave();
      }
    },
    taken: inside.total,
    waitingOf: waiting.sizeOf,
  };
}
