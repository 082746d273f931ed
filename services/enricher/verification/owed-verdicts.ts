import { LRUCache } from 'lru-cache';

/**
 * Claims that were stored as pending and dropped from the queue. The website gets the verdict at the next
 * request of the address, even if another website's lookup has obtained it.
 */
export interface OwedVerdicts {
  /** @param lastDay as in `Asker` */
  add(websiteId: string, key: string, lastDay: number): void;
  /** Removes a claim and returns its last day; null if there is none. */
  settle(websiteId: string, key: string): number | null;
}

const WEBSITES = 1_000;
/**
 * The oldest are dropped first: their rows stay pending until the address is looked up for this website
 * again.
 */
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
