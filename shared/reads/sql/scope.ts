import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../durations.js';
import { type Clause, combine } from './clause.js';
import { type Filters, rawFilterClauses } from './filters.js';
import type { LateVerdicts } from './late-verdicts.js';

/** The scope of every read, resolved once per call; later steps do not use the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
  /**
   * The window ends with the current minute or ten seconds (`runningEnd`). No stored request is later than its receipt (docs/log-format.md), so
   * the current hour and day are read as they are.
   */
  readonly running?: boolean;
}

export interface Scope {
  readonly websiteId: string;
  readonly window: Window;
  readonly filters: Filters;
  /** Added before a statement is composed (late-verdicts.ts). */
  readonly lateVerdicts?: LateVerdicts | undefined;
}

/** The last milliseconds up to now, of exactly this length (docs/decisions/008-windows-that-end-now.md). */
export function rollingWindow(length: number, now: number): Window {
  const end = runningEnd(length, now);
  return { start: end - length, end, running: true };
}

/** Answers of short windows are shared for this time, and a change in one hour leans by at most 0.3 %. */
export const SHORT_UNIT_MS = 10 * SECOND_MS;

/** End of the minute that contains `now`, or of the ten seconds for a window shorter than a day. It is later than `now`. */
export function runningEnd(length: number, now: number): number {
  const unit = length >= DAY_MS ? MINUTE_MS : SHORT_UNIT_MS;
  return (Math.floor(now / unit) + 1) * unit;
}

/** The window of the same length that ends at this one's start. */
export function previousWindow({ start, end }: Window): Window {
  return { start: start - (end - start), end: start };
}

/** The scope as a condition over `requests AS r`. */
export function scopeClause(scope: Scope): Clause {
  const { websiteId, window, filters } = scope;
  const rows =
    "r.website_id = {website_id: String} AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND r.timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')";
  return combine([
    { sql: rows, params: { website_id: websiteId, start: window.start, end: window.end } },
    ...rawFilterClauses(filters, scope, rows),
  ]);
}
