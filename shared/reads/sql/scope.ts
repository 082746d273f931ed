import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../durations.js';
import type { QueryParameter } from '../../store/client.js';
import { type Clause, combine } from './clause.js';
import { type Filters, rawFilterClauses } from './filters.js';
import type { LateVerdicts } from './late-verdicts.js';

/** The scope of every read, resolved once per call; later steps do not use the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
  /**
   * The window ends with the current minute or ten seconds (`runningEnd`). No stored request is later than its receipt
   * (docs/log-format.md), so the current hour and day are read as they are.
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

/** The scope as a condition over `requests AS r`. @param pieces of its window; default: all of it */
export function scopeClause(scope: Scope, pieces: readonly Window[] = [scope.window]): Clause {
  const rows = rowsWithin(scope.websiteId, pieces);
  return combine([rows, ...rawFilterClauses(scope.filters, scope, rows.sql)]);
}

/**
 * The rows of a website in these pieces of a window, over `requests AS r`.
 * @param name prefix of the parameter names, except the website's: conditions of one statement may have different pieces.
 */
export function rowsWithin(websiteId: string, pieces: readonly Window[], name = ''): Clause {
  const params = new Map<string, QueryParameter>([['website_id', websiteId]]);
  const ranges = pieces.map(({ start, end }, index) => {
    const bound = (edge: 'start' | 'end', instant: number) => {
      const parameter = `${name}${edge}${index === 0 ? '' : `_${index}`}`;
      params.set(parameter, instant);
      return `fromUnixTimestamp64Milli({${parameter}: Int64}, 'UTC')`;
    };
    return `r.timestamp >= ${bound('start', start)} AND r.timestamp < ${bound('end', end)}`;
  });
  const within = ranges.length === 1 ? ranges[0]! : `(${ranges.join(' OR ')})`;
  return { sql: `r.website_id = {website_id: String} AND ${within}`, params: Object.fromEntries(params) };
}
