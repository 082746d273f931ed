import { z } from 'zod';

/** The state of the sync of a search-performance source, stored in `source_syncs.marks`. */
const syncMarks = z.object({
  /** Version of the current rows of search_page_queries; null: none. */
  pageQueries: z.object({ version: z.number(), through: z.string() }).nullable().default(null),
});

export type SyncMarks = z.output<typeof syncMarks>;

/** @param marks the stored value; null: the source was never read. */
export function readMarks(marks: unknown): SyncMarks {
  return syncMarks.parse(marks ?? {});
}
