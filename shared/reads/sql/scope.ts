import { DAY_MS, HOUR_MS } from '../../durations.js';
import { type Clause, combine } from './clause.js';
import { type Filters, rawFilterClauses } from './filters.js';

/** What every read is narrowed to, resolved once per call; nothing later asks the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
  /**
   * It ends at the present. No stored request is later than its receipt (docs/log-format.md), so the hour and the day that
   * are under way are read as they are.
   */
  readonly running?: boolean;
}

export interface Scope {
  readonly websiteId: string;
  readonly window: Window;
  readonly filters: Filters;
}

/**
 * The window of the same length that ends where this one starts. Where the window runs and is a day or longer, it begins on
 * the nearest whole hour, so that rollups alone answer for it: at most half an hour shorter or longer.
 */
export function previousWindow({ start, end, running = false }: Window): Window {
  const length = end - start;
  const whole = running && length >= DAY_MS ? Math.round(length / HOUR_MS) * HOUR_MS : length;
  return { start: start - whole, end: start };
}

/** The scope as a condition over `requests AS r`. */
export function scopeClause({ websiteId, window, filters }: Scope): Clause {
  const rows =
    "r.website_id = {website_id: String} AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND r.timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')";
  return combine([
    { sql: rows, params: { website_id: websiteId, start: window.start, end: window.end } },
    ...rawFilterClauses(filters, { websiteId, window }, rows),
  ]);
}
