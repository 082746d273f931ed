import { createTrapGuard, type Trap, type TrapLimits } from './trap-guard.js';

/** The discovered pages of a crawl, and the order of fetching. Pure: the same pages added in the same order get the same numbers. */

/** How a page became known. */
export type FoundBy = 'home' | 'seed' | 'sitemap' | 'link' | 'redirect';

export interface KnownPage {
  /** From 0, in the order of discovery and fetching. Stored links refer to it. */
  readonly number: number;
  /** In the form of `linkTarget`. */
  readonly url: string;
  /** Hops from the start of the crawl, by the link that led to the page first. */
  readonly depth: number;
  readonly foundBy: FoundBy;
}

export interface FrontierOptions {
  /** The maximum of discovered, and so of fetched pages. */
  readonly maxPages: number;
  readonly limits?: TrapLimits;
}

export interface Frontier {
  /** @returns the number of the page, known or new; otherwise the reason why it is left out */
  add(url: string, depth: number, foundBy: FoundBy): number | Trap | 'full';
  /** The next page to fetch, breadth first; undefined: none waits. */
  next(): KnownPage | undefined;
  /** The number of known pages. */
  size(): number;
  /** How many times a URL was left out, by reason. */
  leftOut(): ReadonlyMap<Trap | 'full', number>;
}

/**
 * @param known in order of their numbers, as an earlier attempt of the crawl has stored them
 * @param isFetched whether the earlier attempt stored the page's response: the page is not fetched again
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
