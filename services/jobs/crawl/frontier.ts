import { createTrapGuard, type Trap, type TrapLimits } from './trap-guard.js';

/** Which pages a crawl knows, and which it fetches next. Pure: the same pages added in the same order get the same numbers. */

/** How a page became known. */
export type FoundBy = 'home' | 'seed' | 'sitemap' | 'link' | 'redirect';

export interface KnownPage {
  /** From 0, in the order in which pages became known, which is that of fetching; links are stored by it. */
  readonly number: number;
  /** As `linkTarget` writes it. */
  readonly url: string;
  /** Hops from what the crawl began with, by the link that made the page known. */
  readonly depth: number;
  readonly foundBy: FoundBy;
}

export interface FrontierOptions {
  /** Pages that are known, and so at most fetched. */
  readonly maxPages: number;
  readonly limits?: TrapLimits;
}

export interface Frontier {
  /** The page's number, whether it was known or is new; else why it is left out. */
  add(url: string, depth: number, foundBy: FoundBy): number | Trap | 'full';
  /** The page to fetch next, first known first: breadth first; undefined: none waits. */
  next(): KnownPage | undefined;
  /** Pages that are known. */
  size(): number;
  /** How many times a URL was left out, by reason. */
  leftOut(): ReadonlyMap<Trap | 'full', number>;
}

/**
 * @param known in order of their numbers, as an earlier attempt of the crawl has stored them
 * @param isFetched whether the attempt stored what the page answered: it is not fetched again
 */
export function createFrontier(
  { maxPages, limits }: FrontierOptions,
  known: readonly KnownPage[] = [],
  isFetched: (number: number) => boolean = () => false,
): Frontier {
  const pages: KnownPage[] = [...known];
  const numbers = new Map<string, number>();
  const guard = createTrapGuard(limits);
  const leftOut = new Map<Trap | 'full', number>();
  let at = 0;

  function leave(reason: Trap | 'full'): Trap | 'full' {
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return reason;
  }

  for (const { url, number, depth } of known) {
    guard.look(url, depth);
    numbers.set(url, number);
  }

  return {
    add(url, depth, foundBy) {
      const number = numbers.get(url);
      if (number !== undefined) return number;
      if (pages.length >= maxPages) return leave('full');
      const trap = guard.look(url, depth);
      if (trap !== null) return leave(trap);
      const page = { number: pages.length, url, depth, foundBy };
      pages.push(page);
      numbers.set(url, page.number);
      return page.number;
    },
    next() {
      while (at < pages.length && isFetched(at)) at += 1;
      return at < pages.length ? pages[at++] : undefined;
    },
    size: () => pages.length,
    leftOut: () => leftOut,
  };
}
