import { createCounter } from '../../../shared/counter.js';
import { type Share, shareOf } from '../../../shared/fair-queue.js';
import { createBackOff } from './back-off.js';

/** Rests after the first failure, the second, …; after one more a look-up is given up. */
const restsMs = [5_000, 20_000, 80_000, 320_000, 600_000];
const share: Share = { total: 5_000, mostOfOwner: 200 };

export interface RestingLookups<Item> {
  /**
   * @param owner the website whose turn the look-up took.
   * @param failures so many times it failed before this one.
   * @returns false where it failed too often, or its website's share of places is full: it is to be forgotten.
   */
  add(item: Item, owner: string, failures: number): boolean;
  size(): number;
  stop(): void;
}

/** Where failed look-ups wait outside the queue, in no one's way, until they are due again. */
export function createRestingLookups<Item>(
  now: () => number,
  onDue: (item: Item) => void,
): RestingLookups<Item> {
  const ofWebsite = createCounter();
  const backOff = createBackOff<{ item: Item; owner: string }>({
    restsMs,
    now,
    onDue: ({ item, owner }) => {
      ofWebsite.add(owner, -1);
      onDue(item);
    },
  });
  return {
    add(item, owner, failures) {
      if (failures >= restsMs.length) return false;
      if (ofWebsite.of(owner) >= shareOf(share, ofWebsite.keys() + 1)) return false;
      ofWebsite.add(owner, 1);
      backOff.add({ item, owner }, failures);
      return true;
    },
    size: () => backOff.size(),
    stop: () => backOff.stop(),
  };
}
