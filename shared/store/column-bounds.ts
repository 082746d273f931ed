/**
 * What the columns of time hold. ClickHouse stores another moment in place of one that lies outside, and says nothing:
 * whatever comes from outside and ends in such a column is refused before.
 */

/** `Date`: 16 bits of days. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2149-06-06';
/** `DateTime`: whole seconds that fit 32 bits. @param seconds since the epoch; outside the column's bounds it is the nearest of them. */
export function storableSecond(seconds: number): number {
  return Math.min(Math.max(seconds, 0), 2 ** 32 - 1);
}

/** `DateTime64(3)`: the years that the engine computes with. */
export const LAST_INSTANT = '2299-12-31T23:59:59.999Z';

export const OUTSIDE_DAYS = `a date from ${FIRST_DAY} to ${LAST_DAY}`;

/** @param day YYYY-MM-DD */
export function isStorableDay(day: string): boolean {
  return day >= FIRST_DAY && day <= LAST_DAY;
}
