import type { ClientCounts } from '../counts/span-counts.js';

/** A browser fetches pictures and styles with each page; behind a shared address many browsers do. */
export const LEAST_PAGE_SHARE = 0.6;

/** Whether an address takes pages and little of what belongs to them, as programs do. */
export function takesPages({ pages, requests }: Pick<ClientCounts, 'pages' | 'requests'>): boolean {
  return pages >= LEAST_PAGE_SHARE * requests;
}
