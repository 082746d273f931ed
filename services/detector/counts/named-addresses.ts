import type { ClientCounts } from './span-counts.js';

/** Which addresses a rule may name by their numbers alone. The SQL that ranks addresses (span-statements.ts) and the rules share these bounds. */

/** Pages a minute, kept up through the window: nobody reads so fast. */
const PAGES_A_MINUTE = 8;
/** In a long window, an hour of it is enough. */
const LONGEST_MINUTES = 60;
/** A browser fetches pictures and styles with each page; behind a shared address many browsers do. */
export const LEAST_PAGE_SHARE = 0.6;
/** One probe may be a mistyped URL. */
export const LEAST_PROBES_OF_PROBER = 2;

/** Pages of an address in a window, from which on it may be a scraper. */
export function leastPagesOf(minutes: number): number {
  return PAGES_A_MINUTE * Math.min(minutes, LONGEST_MINUTES);
}

/** Whether an address takes pages and little of what belongs to them, as programs do. */
export function takesPages({ pages, requests }: Pick<ClientCounts, 'pages' | 'requests'>): boolean {
  return pages >= LEAST_PAGE_SHARE * requests;
}
