import { z } from 'zod';

/** What the reading of a search-performance source keeps in `source_syncs.marks`. */
const syncMarks = z.object({
  /** Version of the rows of search_page_queries that count; null: there are none. */
  pageQueries: z.object({ version: z.number(), through: z.string() }).nullable().default(null),
});

export type SyncMarks = z.output<typeof syncMarks>;

/** @param marks as they are stored; null: the source was never read. */
export function readMarks(marks: unknown): SyncMarks {
  return syncMarks.parse(marks ?? {});
}
