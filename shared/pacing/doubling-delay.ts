/** Bounds of the waits between attempts, milliseconds. */
export interface DelayBounds {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** @returns what gives the wait before each next attempt: twice the one before, up to the longest. */
export function doublingDelay({ firstMs, longestMs }: DelayBounds): () => number {
  let next = firstMs;
  return () => {
    const delay = next;
    next = Math.min(2 * delay, longestMs);
    return delay;
  };
}
