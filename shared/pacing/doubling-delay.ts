/** Bounds of a retry delay, milliseconds. */
export interface DelayBounds {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Exponential backoff. @returns a function that returns the delay before the next attempt: twice the one before, up to
 * `longestMs`.
 */
export function doublingDelay({ firstMs, longestMs }: DelayBounds): () => number {
  let next = firstMs;
  return () => {
    const delay = next;
    next = Math.min(2 * delay, longestMs);
    return delay;
  };
}
