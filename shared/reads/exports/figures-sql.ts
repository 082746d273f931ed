import { countryNames } from '../answer/country-name.js';
import type { Clause } from '../sql/clause.js';

/** Figures of answers (shared/reads/answer/figures.ts) in SQL, over the columns of a file. */

/** Two digits, halves rounded up. */
export const twoDigits = (sql: string) => `floor((${sql}) * 100 + 0.5) / 100`;

/** Percentage of the whole; 0 if the whole is 0. */
export const percentOf = (part: string, whole: string) =>
  `if(${whole} = 0, 0, ${twoDigits(`100 * ${part} / ${whole}`)})`;

/** Change in percent against the previous window; null without an earlier figure. `comparison` binds `compared`. */
export const changePct = (current: string, previous: string) =>
  `if({export_compared: UInt8} = 0 OR ${previous} = 0, NULL, ${twoDigits(`100 * (toInt64(${current}) - toInt64(${previous})) / ${previous}`)})`;

export const averageTimeMs = `if(t.timed_requests = 0, NULL, ${twoDigits('t.time_taken_ms / t.timed_requests')})`;

/** A limit above any number of rows: it makes the statement join the windows (sql/compose-select.ts). */
export const ALL_ROWS = 4_294_967_295;

/** The clause with prefixed parameter names, so that it can be combined with another. */
export function prefixParameters({ sql, params }: Clause, prefix: string): Clause {
  return {
    sql: sql.replaceAll(/\{(\w+): /g, `{${prefix}_$1: `),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [`${prefix}_${name}`, value])),
  };
}

/** English name of the country whose code is in the column; '' if there is none. It needs {@link countryParams}. */
export const countryNameOf = (column: string) =>
  `transform(toString(${column}), {export_countries: Array(String)}, {export_names: Array(String)}, '')`;

/** The parameters of {@link countryNameOf}. */
export function countryParams(): Clause['params'] {
  const names = countryNames();
  return {
    export_countries: names.map(([code]) => code),
    export_names: names.map(([, name]) => name),
  };
}
