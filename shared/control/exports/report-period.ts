import { z } from 'zod';
import { DAY_MS } from '../../durations.js';

/** The technical SEO report (spec §4.10): made like an export, and listed among them, but of no one read. */

export const SEO_REPORT = 'seo-report';

export const REPORT_DAYS = { least: 7, most: 90, usual: 30 } as const;

/** What a report is asked for, fixed when it was. */
export const reportQuestion = z.object({
  /** Milliseconds since the epoch, half-open: whole UTC days. */
  start: z.int(),
  end: z.int(),
  /** As it was written; null: nobody was named. */
  prepared_for: z.string().nullable(),
});
export type ReportQuestion = z.output<typeof reportQuestion>;

/** The days up to the last one that is over. @param now milliseconds since the epoch */
export function reportWindow(periodDays: number, now: number): { start: number; end: number } {
  const days = Math.min(Math.max(periodDays, REPORT_DAYS.least), REPORT_DAYS.most);
  const end = Math.floor(now / DAY_MS) * DAY_MS;
  return { start: end - days * DAY_MS, end };
}
