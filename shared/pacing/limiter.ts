import { setMaxListeners } from 'node:events';
import { createCounter } from './counter.js';
import { createFairQueue, type Share } from './fair-queue.js';

/**
 * Limits concurrent work, in total and per owner (a website, an organisation). The queue is bounded and serves owners
 * round-robin. A caller whose work has no owner passes ''.
 */
export interface Limiter {
  /** Takes a free place. @returns the function that releases it (idempotent); null: the owner has no free place. */
  tryEnter(owner: string): Leave | null;
  /**
   * As {@link tryEnter}, but waits for a place.
   * @throws the signal's reason if it fires first; the error of `full` if the queue is full.
   */
  enter(owner: string, signal?: AbortSignal): Promise<Leave>;
  /** Occupies a place while the work runs. @throws as `enter`, and as the work. */
  run<Result>(owner: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Number of occupied places. */
  taken(): number;
  waitingOf(owner: string): number;
  /** Number of owners whose work waits. */
  waitingOwners(): number;
}

export type Leave = () => void;

export interface LimiterOptions {
  /** Limit of all owners together. */
  readonly most: number;
  /** Limit of one owner. Default: `most`. */
  readonly mostOfOwner?: number;
  /** An owner without a place gets one even when all are taken: at most one per owner beyond `most`. */
  readonly isFirstFree?: boolean;
  /** Bound of the queue; default: unbounded. */
  readonly waiting?: Share;
  /** Error for a caller when the queue is full. */
  readonly full?: (owner: string) => Error;
}

export function createLimiter({
  most,
  mostOfOwner = most,
  isFirstFree = false,
  waiting: share,
  full = () => new Error('too many are already waiting'),
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

  /** Does not overtake: an owner with a free place has no waiting work. */
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
      // Work with a free place starts synchronously.
      const leave = tryEnter(owner) ?? (await enter(owner, signal));
      try {
        return await work();
      } finally {
        leave();
      }
    },
    taken: inside.total,
    waitingOf: waiting.sizeOf,
    waitingOwners: waiting.owners,
  };
}
