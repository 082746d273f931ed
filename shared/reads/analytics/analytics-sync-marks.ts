import { z } from 'zod';

/** What the reading of web analytics keeps in `source_syncs.marks`. */
const syncMarks = z.object({
  /** From this day on, to `dataThrough`, every day that the source tells is stored; null: none is. */
  from: z.iso.date().nullable().default(null),
});

export type AnalyticsMarks = z.output<typeof syncMarks>;

/** @param marks as they are stored; null: the source was never read. */
export function readAnalyticsMarks(marks: unknown): AnalyticsMarks {
  return syncMarks.parse(marks ?? {});
}
