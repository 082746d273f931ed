import { createTrapGuard, type Trap, type TrapLimits } from './trap-guard.js';

/** Which pages a crawl knows, and which it fetches next. Pure: the same pages added in the same order get the same numbers. */

/** How a page became known. */
export type FoundBy = 'home' | 'seed' | 'sitemap' | 'link' | 'redirect';

export interface KnownPage {
  /** From 0, in the order in which pages became known; links are stored by it. */
  readonly number: number;
  /** As `linkTarget` writes it. */
  readonly url: string;
  /** Clicks from the home page; null: no link led to it yet. */
  readonly depth: number | null;
  readonly foundBy: FoundBy;
}

export interface FrontierOptions {
  /** Pages that are known, and so at most fetched. */
  readonly maxPages: number;
  readonly limits?: TrapLimits;
}

export interface Frontier {
  /** The page's number, whether it was known or is new; else why it is left out. */
  add(url: string, depth: number | null, foundBy: FoundBy): number | Trap | 'full';
  /** The page to fetch next, breadth first; undefined: none waits. Pages that links led to go before those that only a list names. */
  next(): KnownPage | undefined;
  page(number: number): KnownPage | undefined;
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
  const pages: KnownPage[] = [];
  const numbers = new Map<string, number>();
  const guard = createTrapGuard(limits);
  const leftOut = new Map<Trap | 'full', number>();
  const linked = createQueue();
  const listed = createQueue();
  /** Numbers that were handed out, or were fetched by an earlier attempt. */
  const taken = new Set<number>();

  function put(page: KnownPage): void {
    pages.push(page);
    numbers.set(page.url, page.number);
    if (isFetched(page.number)) taken.add(page.number);
    else (page.depth === null ? listed : linked).push(page.number);
  }

  function leave(reason: Trap | 'full'): Trap | 'full' {
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return reason;
  }

  /** A link led to what only a list had named, or a shorter way to it was found before it was fetched. */
  function approach(number: number, depth: number): void {
    const page = pages[number]!;
    if (page.depth !== null && page.depth <= depth) return;
    pages[number] = { ...page, depth };
    if (page.depth === null && !taken.has(number)) linked.push(number);
  }

  for (const page of known) {
    guard.look(page.url, page.depth ?? 0);
    put(page);
  }

  return {
    add(url, depth, foundBy) {
      const number = numbers.get(url);
      if (number !== undefined) {
        if (depth !== null) approach(number, depth);
        return number;
      }
      if (pages.length >= maxPages) return leave('full');
      const trap = guard.look(url, depth ?? 0);
      if (trap !== null) return leave(trap);
      const page = { number: pages.length, url, depth, foundBy };
      put(page);
      return page.number;
    },
    next() {
      for (const queue of [linked, listed]) {
        for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
          if (taken.has(number)) continue;
          taken.add(number);
          return pages[number];
        }
      }
      return undefined;
    },
    page: (number) => pages[number],
    size: () => pages.length,
    leftOut: () => leftOut,
  };
}

/** First in, first out, of numbers; taking one costs the same however many wait. */
function createQueue() {
  const numbers: number[] = [];
  let at = 0;
  return {
    push: (number: number) => void numbers.push(number),
    shift: (): number | undefined => (at < numbers.length ? numbers[at++] : undefined),
  };
}
