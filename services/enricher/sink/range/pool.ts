/** Keeps costly objects for reuse. */
export interface Pool<Item> {
  /**
   * @returns the smallest kept object of at least this size, or a new one, for exclusive use until it is
   * given back, which is optional
   */
  take(size: number, make: () => Item): Item;
  /**
   * Ignores an object that was not taken, or was given back before.
   * @param clear prepares it for reuse; false: it is not kept
   */
  giveBack(item: Item, clear: (item: Item) => boolean): void;
}

/** @param mostKept if more are given back, the smallest are dropped */
export function createPool<Item extends object>(
  mostKept: number,
  sizeOf: (item: Item) => number,
): Pool<Item> {
  /** The smallest first. */
  const kept: Item[] = [];
  /** Objects in use. */
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
