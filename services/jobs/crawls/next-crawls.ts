import type { Crawl } from '../../../shared/control/domain/model.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { PlacedItem } from '../runner/owned-work.js';

/** How long a crawl keeps its place while organisations with fewer crawls wait. A crawl of 50,000 pages takes seven hours. */
const SLICE_MS = 15 * MINUTE_MS;

/**
 * Chooses the crawl that leaves its place to an organisation with fewer crawls, if every place is taken: the longest crawl of the organisation with the
 * most. undefined: none has run long enough. Pure.
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
