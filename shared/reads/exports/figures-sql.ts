import { countryNames } from '../answer/country-name.js';
import type { Clause } from '../sql/clause.js';

/** As answers tell figures (shared/reads/answer/figures.ts), over the columns of a file. */

/** With two digits, halves up. */
export const twoDigits = (sql: string) => `floor((${sql}) * 100 + 0.5) / 100`;

/** Percent of the whole; 0 of nothing. */
export const percentOf = (part: string, whole: string) =>
  `if(${whole} = 0, 0, ${twoDigits(`100 * ${part} / ${whole}`)})`;

/** Change in percent against the window before; null where there is nothing to compare with. `compared` is bound by `comparison`. */
export const changePct = (current: string, previous: string) =>
  `if({export_compared: UInt8} = 0 OR ${previous} = 0, NULL, ${twoDigits(`100 * (toInt64(${current}) - toInt64(${previous})) / ${previous}`)})`;

export const averageTimeMs = `if(t.timed_requests = 0, NULL, ${twoDigits('t.time_taken_ms / t.timed_requests')})`;

/** More rows than anything has: a limit that lets the windows stand beside one another (sql/compose-select.ts). */
export const ALL_ROWS = 4_294_967_295;

/** The clause with names of its own for all that it binds, so that it can stand beside another. */
export function apart({ sql, params }: Clause, prefix: string): Clause {
  return {
    sql: sql.replaceAll(/\{(\w+): /g, `{${prefix}_$1: `),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [`${prefix}_${name}`, value])),
  };
}

/** English name of the country whose code the column has; '' of none. It takes {@link countryParams}. */
export const countryNameOf = (column: string) =>
  `transform(toString(${column}), {export_countries: Array(String)}, {export_names: Array(String)}, '')`;

/** What {@link countryNameOf} binds. */
export function countryParams(): Clause['params'] {
  const names = countryNames();
  return {
    export_countries: names.map(([code]) => code),
    export_names: names.map(([, name]) => name),
  };
}
