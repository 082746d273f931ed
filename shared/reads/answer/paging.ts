import { z } from '@hono/zod-openapi';
import { PublicError } from '../../errors.js';

/** Paging of lists. */

/** The requested page of a list. */
export interface PageInput {
  /** From 1. */
  readonly page: number;
  readonly page_size: number;
}

/** The paging fields of an answer. */
export const pagingFields = { page: z.int(), page_size: z.int(), total_pages: z.int() };

/** Maximum rows before a page: the engine sorts all of them for each page. */
const MAX_OFFSET = 1_000_000;

/** The rows of a page, for a statement's LIMIT and OFFSET. @throws PublicError invalid_request for a page that is too far back. */
export function rowsOfPage({ page, page_size }: PageInput): RowsOfPage {
  const offset = (page - 1) * page_size;
  if (offset > MAX_OFFSET) {
    const last = Math.floor(MAX_OFFSET / page_size) + 1;
    throw new PublicError(
      'invalid_request',
      `page: expected at most ${last} with page_size ${page_size}, got ${page}`,
    );
  }
  return { limit: page_size, offset };
}

export interface RowsOfPage {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Like rowsOfPage, for a list of known length: a page that is too far back is counted from the end, if that is nearer.
 * @returns `fromEnd`: read the rows in reverse order. @throws as rowsOfPage
 */
export function rowsFromNearerEnd(
  input: PageInput,
  total: number,
): RowsOfPage & { readonly fromEnd: boolean } {
  const first = (input.page - 1) * input.page_size;
  const limit = Math.max(Math.min(input.page_size, total - first), 0);
  const after = total - first - limit;
  if (first <= MAX_OFFSET || after < 0 || after > MAX_OFFSET) return { ...rowsOfPage(input), fromEnd: false };
  return { limit, offset: after, fromEnd: true };
}

/** The paging fields of an answer whose list may be absent. */
export const openPagingFields = {
  ...pagingFields,
  total_pages: z.int().nullable().openapi({ description: 'null without a list.' }),
};

/** The values of `pagingFields`. @param total rows on all pages. */
export function toPaging({ page, page_size }: PageInput, total: number) {
  return { page, page_size, total_pages: Math.ceil(total / page_size) };
}
