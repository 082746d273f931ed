import { type Clause, combine } from './clause.js';
import { ruleTargetOf, type SegmentRules, segmentClause } from './segments.js';

/** What every read is narrowed to, resolved once per call; nothing later asks the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface Scope {
  readonly websiteId: string;
  readonly window: Window;
  /** ISO 3166-1 alpha-2, upper case; empty: every country. */
  readonly countries: readonly string[];
  /** null: everything. While it is set only raw rows can answer (spec §2.1). */
  readonly segment: SegmentRules | null;
}

/** The window of the same length that ends where this one starts. */
export function previousWindow({ start, end }: Window): Window {
  return { start: start - (end - start), end: start };
}

/** The scope as a condition over `requests AS r`. */
export function scopeClause({ websiteId, window, countries, segment }: Scope): Clause {
  const rows =
    "r.website_id = {website_id: String} AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC') AND r.timestamp < fromUnixTimestamp64Milli({end: Int64}, 'UTC')";
  return combine([
    { sql: rows, params: { website_id: websiteId, start: window.start, end: window.end } },
    countries.length === 0 ? null : { sql: 'r.country IN {countries: Array(String)}', params: { countries } },
    segment === null ? null : segmentClause(segment, 'segment', ruleTargetOf(rows)),
  ]);
}
