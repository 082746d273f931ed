/**
 * Bounds of time columns. ClickHouse silently stores another time for a value outside them, so such input is refused
 * first.
 */

/** `Date`: 16 bits of days. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2149-06-06';
/** `DateTime`: whole seconds in 32 bits. Clamps to the column's bounds. @param seconds since the epoch */
export function storableSecond(seconds: number): number {
  return Math.min(Math.max(seconds, 0), 2 ** 32 - 1);
}

/** `DateTime64(3)`: the range in which the engine calculates. */
export const LAST_INSTANT = '2299-12-31T23:59:59.999Z';

export const OUTSIDE_DAYS = `a date from ${FIRST_DAY} to ${LAST_DAY}`;

/** @param day YYYY-MM-DD */
export function isStorableDay(day: string): boolean {
  return day >= FIRST_DAY && day <= LAST_DAY;
}
