/**
 * Concurrent calls share a run, but never one that has begun, as it may have missed the data that the caller wants.
 * One run is under way at a time. Each call rejects if its run does.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    if (next === null) {
      next = last.then(() => {
        next = null;
        return run();
      });
      last = next.catch(() => {});
    }
    return next;
  };
}
