/**
 * Bounds on what a source tells. Anybody can send events to a property of web analytics, with names and figures of their own: one absurd figure must not
 * end the reading of all others, nor may long names fill the memory.
 */

/** Of a count of one row; the sums of all rows of a connection stay within 64 bits. */
const MOST_COUNT = 1e12;
/** Of money: what a number tells to the cent. */
const MOST_MONEY = 1e13;
/** Of names that one question keeps, in characters: the rows come in order of their importance, and the rest is left out. */
export const MOST_NAMES = 20_000_000;

/** @param value at least 0. */
export const boundedCount = (value: number): number => Math.round(Math.min(value, MOST_COUNT));

/** A mean place in the results; times its impressions it stays a number. */
export const boundedPosition = (value: number): number => Math.min(value, 1e6);

export const boundedMoney = (value: number): number => Math.min(Math.max(value, -MOST_MONEY), MOST_MONEY);

export const lengthOfNames = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + name.length, 0);
