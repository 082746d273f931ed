import { z } from '@hono/zod-openapi';

/** Lists that are told page by page. */

/** Which page a call asks for. */
export interface PageInput {
  /** From 1. */
  readonly page: number;
  readonly page_size: number;
}

/** What an answer tells of its page. */
export const pagingFields = { page: z.int(), page_size: z.int(), total_pages: z.int() };

/** The rows of a page, for a statement's LIMIT and OFFSET. */
export function rowsOfPage({ page, page_size }: PageInput): { limit: number; offset: number } {
  return { limit: page_size, offset: (page - 1) * page_size };
}

/** The same where there may be no list. */
export const openPagingFields = {
  ...pagingFields,
  total_pages: z.int().nullable().openapi({ description: 'null where there is no list.' }),
};

/** The fields of `pagingFields`. @param total rows on all pages together. */
export function toPaging({ page, page_size }: PageInput, total: number) {
  return { page, page_size, total_pages: Math.ceil(total / page_size) };
}
