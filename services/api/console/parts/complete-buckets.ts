interface WindowOfBuckets {
  readonly start: string;
  readonly end: string;
}

/**
 * Buckets without those that the window cuts and without the running one: a part of an hour would look like a fall. Charts, sparklines,
 * tables and files all leave them out. Few buckets stay as they are.
 */
export function completeBuckets<Bucket>(
  buckets: readonly Bucket[],
  timeOf: (bucket: Bucket) => string,
  window: WindowOfBuckets | null,
  now = Date.now(),
): readonly Bucket[] {
  const [first, second] = buckets;
  if (first === undefined || second === undefined || window === null || buckets.length < 4) return buckets;
  const length = Date.parse(timeOf(second)) - Date.parse(timeOf(first));
  const start = Date.parse(window.start);
  const end = Math.min(Date.parse(window.end), now);
  return buckets.filter((bucket) => {
    const begin = Date.parse(timeOf(bucket));
    return begin >= start && begin + length <= end;
  });
}
