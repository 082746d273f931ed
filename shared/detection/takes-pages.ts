import type { ClientSignal } from './signal.js';

/** A browser fetches pictures and styles with each page; behind a shared address many browsers do. */
const LEAST_PAGE_SHARE = 0.6;

/** Whether an address takes pages and little of what belongs to them, as programs do. */
export function takesPages({ pages, requests }: Pick<ClientSignal, 'pages' | 'requests'>): boolean {
  return pages >= LEAST_PAGE_SHARE * requests;
}
