import { LRUCache } from 'lru-cache';

/**
 * Claims that were stored as pending and fell out of the queue, so that the website gets the verdict when it meets the
 * address again, even where somebody else's question has answered it meanwhile.
 */
export interface OwedVerdicts {
  /** @param lastDay as of `Asker`. */
  add(websiteId: string, key: string, lastDay: number): void;
  /** The last day of what is owed, which it is no more afterwards; null where nothing is. */
  settle(websiteId: string, key: string): number | null;
}

const WEBSITES = 1_000;
/** The oldest go first: their rows stay pending until their address is looked up for this website again. */
const MOST_PER_WEBSITE = 500;

export function createOwedVerdicts(): OwedVerdicts {
  const owed = new LRUCache<string, Map<string, number>>({ max: WEBSITES });
  return {
    add(websiteId, key, lastDay) {
      let own = owed.get(websiteId);
      if (own === undefined) {
        own = new Map();
        owed.set(websiteId, own);
      }
      const before = own.get(key);
      if (before === undefined && own.size >= MOST_PER_WEBSITE) own.delete(own.keys().next().value as string);
      own.set(key, Math.max(before ?? lastDay, lastDay));
    },
    settle(websiteId, key) {
      const own = owed.get(websiteId);
      const lastDay = own?.get(key);
      if (own === undefined || lastDay === undefined) return null;
      own.delete(key);
      return lastDay;
    },
  };
}
