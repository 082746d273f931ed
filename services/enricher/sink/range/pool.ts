/** Things that are costly to make, kept for the next who needs one of their size. */
export interface Pool<Item> {
  /** @returns the smallest that has this size or more, or a new one; for the caller alone until it is given back. Who never gives it back lets it go. */
  take(size: number, make: () => Item): Item;
  /**
   * One that is not taken, or not any more, is left alone.
   * @param clear makes it ready for the next; false: it is let go
   */
  giveBack(item: Item, clear: (item: Item) => boolean): void;
}

/** @param mostKept where more are given back, the smallest are let go */
export function createPool<Item extends object>(
  mostKept: number,
  sizeOf: (item: Item) => number,
): Pool<Item> {
  /** The smallest first. */
  const kept: Item[] = [];
  /** Those that somebody has. */
  const taken = new WeakSet<Item>();
  return {
    take(size, make) {
      const at = kept.findIndex((item) => sizeOf(item) >= size);
      const item = at >= 0 ? kept.splice(at, 1)[0]! : make();
      taken.add(item);
      return item;
    },
    giveBack(item, clear) {
      if (!taken.delete(item) || !clear(item)) return;
      kept.push(item);
      kept.sort((a, b) => sizeOf(a) - sizeOf(b));
      if (kept.length > mostKept) kept.shift();
    },
  };
}
