/**
 * Limits on the data of a source. Anyone can send events to a web analytics property, with any names and figures. An absurd figure must not stop the read,
 * and long names must not fill the memory.
 */

/** For a count in one row. The sums of all rows of a connection fit into 64 bits. */
const MOST_COUNT = 1e12;
/** For money: a number is exact to the cent up to it. */
const MOST_MONEY = 1e13;
/** For the names that one query keeps, in characters. Rows come by importance, and the rest is left out. */
export const MOST_NAMES = 20_000_000;

/** @param value at least 0 */
export const boundedCount = (value: number): number => Math.round(Math.min(value, MOST_COUNT));

/** An average position in the results. Multiplied by its impressions, it stays a finite number. */
export const boundedPosition = (value: number): number => Math.min(value, 1e6);

export const boundedMoney = (value: number): number => Math.min(Math.max(value, -MOST_MONEY), MOST_MONEY);

export const lengthOfNames = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + name.length, 0);
