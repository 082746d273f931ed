/** Counts by key. A key with count 0 takes no memory. */
export function createCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    of: (key: string) => counts.get(key) ?? 0,
    /** @param change an integer */
    add(key: string, change: number) {
      const count = (counts.get(key) ?? 0) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
      total += change;
    },
    keys: () => counts.size,
    total: () => total,
  };
}
