import { createCounter } from '../../../shared/pacing/counter.js';
import { type Share, shareOf } from '../../../shared/pacing/fair-queue.js';
import { later } from './later.js';

/** Rests after the first failure, the second, and so on. After one more failure a lookup is given up. */
const restsMs = [5_000, 20_000, 80_000, 320_000, 600_000];
const share: Share = { total: 5_000, mostOfOwner: 200 };

export interface RestingLookups<Item> {
  /**
   * @param owner the website whose share the lookup used
   * @param failures number of earlier failures
   * @returns false if it failed too often, or its website's share of places is full; it is then dropped
   */
  add(item: Item, owner: string, failures: number): boolean;
  size(): number;
  stop(): void;
}

/** Failed lookups wait here, outside of the queue, until they are due again. */
export function createRestingLookups<Item>(onDue: (item: Item) => void): RestingLookups<Item> {
  const ofWebsite = createCounter();
  const timers = new Set<NodeJS.Timeout>();
  return {
    add(item, owner, failures) {
      const restMs = restsMs[failures];
      if (restMs === undefined) return false;
      if (ofWebsite.of(owner) >= shareOf(share, ofWebsite.keys() + 1)) return false;
      ofWebsite.add(owner, 1);
      const timer = later(restMs, () => {
        timers.delete(timer);
        ofWebsite.add(owner, -1);
        onDue(item);
      });
      timers.add(timer);
      return true;
    },
    size: () => timers.size,
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
