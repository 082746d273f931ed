import type { Crawl } from '../../../shared/control/model.js';
import { MINUTE_MS } from '../../../shared/durations.js';

/** What is remembered of turns is bounded by this many organisations. */
const MOST_SERVED = 10_000;

/**
 * Which crawls begin now. A crawl takes hours, so a free place is never kept: the organisation with the fewest under way is next, and of equals the one
 * that was served longest ago.
 * @param places crawls at once. @param organisationOf of a website.
 */
export function createCrawlTurns(places: number, organisationOf: (websiteId: string) => string) {
  const served = new Map<string, number>();
  let turn = 0;

  /** @param waiting may begin now, oldest first. @param running have a place. */
  return (waiting: readonly Crawl[], running: readonly Crawl[]): Crawl[] => {
    if (served.size > MOST_SERVED) served.clear();
    const busy = new Map<string, number>();
    const count = (organisation: string) => busy.get(organisation) ?? 0;
    const take = ({ websiteId }: Crawl) => {
      const organisation = organisationOf(websiteId);
      busy.set(organisation, count(organisation) + 1);
      return organisation;
    };
    running.forEach(take);
    const left = waiting.map((crawl) => ({ crawl, organisation: organisationOf(crawl.websiteId) }));
    const chosen: Crawl[] = [];
    while (left.length > 0 && running.length + chosen.length < places) {
      const order = ({ organisation }: { organisation: string }) =>
        [count(organisation), served.get(organisation) ?? 0] as const;
      const next = left.reduce((best, each) => (isBefore(order(each), order(best)) ? each : best));
      left.splice(left.indexOf(next), 1);
      served.set(take(next.crawl), ++turn);
      chosen.push(next.crawl);
    }
    return chosen;
  };
}

function isBefore(one: readonly [number, number], other: readonly [number, number]): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}

/** So long a crawl keeps its place though organisations wait that have fewer under way: one of 50,000 pages takes seven hours. */
const SLICE_MS = 15 * MINUTE_MS;

export interface PlacedCrawl {
  readonly held: Crawl;
  /** Milliseconds since the epoch. */
  readonly beganAt: number;
}

/**
 * Where every place is taken: the crawl that leaves its own to an organisation with fewer under way, of the organisation with most the one that has had it
 * longest; undefined: none has had it for long. Pure.
 */
export function chooseToLeave<One extends PlacedCrawl>(
  placed: readonly One[],
  waiting: readonly Crawl[],
  { organisationOf, now }: { organisationOf: (websiteId: string) => string; now: number },
): One | undefined {
  const underWay = ({ websiteId }: Crawl) => {
    const organisation = organisationOf(websiteId);
    return placed.filter(({ held }) => organisationOf(held.websiteId) === organisation).length;
  };
  const fewest = Math.min(...waiting.map(underWay));
  return placed
    .filter(({ held, beganAt }) => now - beganAt >= SLICE_MS && underWay(held) > fewest)
    .toSorted((a, b) => underWay(b.held) - underWay(a.held) || a.beganAt - b.beganAt)[0];
}
