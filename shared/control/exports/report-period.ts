import { z } from 'zod';
import { DAY_MS } from '../../durations.js';

/** The technical SEO report (spec §4.10): created and listed like an export, but based on several reads. */

export const SEO_REPORT = 'seo-report';

export const REPORT_DAYS = { least: 7, most: 90, usual: 30 } as const;

/** Parameters of a report, fixed at its request. */
export const reportQuestion = z.object({
  /** Milliseconds since the epoch, half-open: whole UTC days. */
  start: z.int(),
  end: z.int(),
  /** As given; null: none. */
  prepared_for: z.string().nullable(),
});
export type ReportQuestion = z.output<typeof reportQuestion>;

/** The window of finished days. @param now milliseconds since the epoch */
export function reportWindow(periodDays: number, now: number): { start: number; end: number } {
  const days = Math.min(Math.max(periodDays, REPORT_DAYS.least), REPORT_DAYS.most);
  const end = Math.floor(now / DAY_MS) * DAY_MS;
  return { start: end - days * DAY_MS, end };
}
