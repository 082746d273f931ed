/**
 * Makes calls at the same time share a run, but never one that has begun: it may have missed what the caller wants of it.
 * One run is under way at a time. Each call rejects as its run does.
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
