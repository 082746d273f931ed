import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type Clause, combine } from './clause.js';
import { type Filters, rawFilterClauses } from './filters.js';
import type { LateVerdicts } from './late-verdicts.js';

/** The scope of every read, resolved once per call; later steps do not use the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
  /**
   * The window ends now. No stored request is later than its receipt (docs/log-format.md), so the current hour and day are read as they
   * are.
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

/**
 * The window of the same length that ends at this one's start. A running window of at least one day is compared with one that begins on the
 * nearest whole hour, so that rollups alone answer it. Its length differs by at most half an hour.
 */
export function previousWindow({ start, end, running = false }: Window): Window {
  const length = end - start;
  const whole = running && length >= DAY_MS ? Math.round(length / HOUR_MS) * HOUR_MS : length;
  return { start: start - whole, end: start };
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
