import type { Crawl } from '../../../shared/control/domain/model.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { PlacedItem } from '../runner/owned-work.js';

/** So long a crawl keeps its place though organisations wait that have fewer under way: one of 50,000 pages takes seven hours. */
const SLICE_MS = 15 * MINUTE_MS;

/**
 * Where every place is taken: the crawl that leaves its own to an organisation with fewer under way, of the organisation with most the one that has had it
 * longest; undefined: none has had it for long. Pure.
 */
export function chooseToLeave<One extends PlacedItem<Crawl>>(
  placed: readonly One[],
  waiting: readonly Crawl[],
  { organisationOf, now }: { organisationOf: (crawl: Crawl) => string; now: number },
): One | undefined {
  const underWay = (crawl: Crawl) => {
    const organisation = organisationOf(crawl);
    return placed.filter(({ held }) => organisationOf(held) === organisation).length;
  };
  const fewest = waiting.reduce((least, crawl) => Math.min(least, underWay(crawl)), Infinity);
  return placed
    .filter(({ held, beganAt }) => now - beganAt >= SLICE_MS && underWay(held) > fewest)
    .toSorted((a, b) => underWay(b.held) - underWay(a.held) || a.beganAt - b.beganAt)[0];
}
