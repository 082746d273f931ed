/**
 * Buckets without the running one at the end, which would look like a fall. Charts, sparklines, tables and files all leave it out.
 * Answers mark it; without the mark, a bucket that began less than its own length ago is running.
 */
export function completeBuckets<Bucket>(
  buckets: readonly Bucket[],
  timeOf: (bucket: Bucket) => string,
  now = Date.now(),
): readonly Bucket[] {
  const last = buckets.at(-1);
  const before = buckets.at(-2);
  if (last === undefined || before === undefined || buckets.length < 3) return buckets;
  const begin = Date.parse(timeOf(last));
  const length = begin - Date.parse(timeOf(before));
  return begin + length > now ? buckets.slice(0, -1) : buckets;
}
