import { z } from 'zod';

/** The state of the web analytics sync, stored in `source_syncs.marks`. */
const syncMarks = z.object({
  /** Every day of the source from this day to `dataThrough` is stored; null: no day is. */
  from: z.iso.date().nullable().default(null),
});

export type AnalyticsMarks = z.output<typeof syncMarks>;

/** @param marks the stored value; null: the source was never read. */
export function readAnalyticsMarks(marks: unknown): AnalyticsMarks {
  return syncMarks.parse(marks ?? {});
}
