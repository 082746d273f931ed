import type { Steps } from '../../pacing/turns.js';
import { compareAddresses } from '../sql/client-ip.js';
import type { DimensionName } from '../sql/dimensions.js';
import { compare } from '../sql/fold-lists.js';
import { compareBytes } from '../sql/text-order.js';

/** The order of lists that the engine makes. */

/** A log may have any number of equal values, and names of several thousand characters that differ at their end. */
const COMPARED_AT_ONCE = 100;

/**
 * Indexes of the greatest values, the greatest first. Names decide between equal values. They are slow to compare, so only names of listed
 * values and of values at the limit are compared.
 * @param compareNames of two indexes
 */
export function* greatestOf(
  values: Float64Array,
  most: number,
  compareNames: (one: number, other: number) => number,
): Steps<number[]> {
  const least = leastOf(values, most);
  const above: number[] = [];
  const ties: number[] = [];
  for (let number = 0; number < values.length; number++) {
    if (values[number]! > least) above.push(number);
    else if (values[number] === least) ties.push(number);
  }
  above.sort((one, other) => values[other]! - values[one]! || compareNames(one, other));
  return [...above, ...(yield* firstOf(ties, most - above.length, compareNames))];
}

/** The value at the limit; the least value if there are fewer. NaN does not count. */
function leastOf(values: Float64Array, most: number): number {
  const greatest = new Float64Array(2 * Math.min(most, values.length));
  let count = 0;
  let least = Number.NEGATIVE_INFINITY;
  const cut = () => {
    const sorted = greatest.subarray(0, count).sort().slice(-most);
    greatest.set(sorted);
    count = sorted.length;
    if (count === most) least = sorted[0]!;
  };
  for (let number = 0; number < values.length; number++) {
    const value = values[number]!;
    if (!(value > least)) continue;
    greatest[count++] = value;
    if (count === greatest.length) cut();
  }
  cut();
  return count < most ? (greatest[0] ?? least) : least;
}

/** The first numbers in this order, sorted. Most of the others are compared once. */
function* firstOf(
  numbers: readonly number[],
  most: number,
  order: (one: number, other: number) => number,
): Steps<number[]> {
  let first: number[] = [];
  let last: number | undefined;
  for (const [index, number] of numbers.entries()) {
    if (index % COMPARED_AT_ONCE === 0) yield;
    if (last !== undefined && order(number, last) >= 0) continue;
    first.push(number);
    if (first.length < 2 * most) continue;
    first = first.sort(order).slice(0, most);
    last = first.at(-1);
  }
  return first.sort(order).slice(0, most);
}

/** As greatestOf, for some of the indexes only. */
export function* greatestIn(
  some: readonly number[],
  values: Float64Array,
  most: number,
  compareNames: (one: number, other: number) => number,
): Steps<number[]> {
  const ofSome = Float64Array.from(some, (number) => values[number]!);
  const places = yield* greatestOf(ofSome, most, (one, other) => compareNames(some[one]!, some[other]!));
  return places.map((place) => some[place]!);
}

/** Two values of a dimension, as the engine sorts them: texts by their bytes in UTF-8. */
export function compareInEngine(dimension: DimensionName, one: unknown, other: unknown): number {
  if (typeof one !== 'string') return compare(one, other);
  if (dimension === 'client_ip' || dimension === 'network') return compareAddresses(one, other as string);
  return compareBytes(one, other as string);
}
