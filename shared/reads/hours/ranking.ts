import { compareAddresses } from '../sql/client-ip.js';
import type { DimensionName } from '../sql/dimensions.js';
import { compare } from '../sql/fold-lists.js';

/** The order of lists that the engine makes. */

/** The first values in the order, sorted. Only few of the others are sorted, too. */
export function firstOf(
  values: Iterable<number>,
  most: number,
  order: (one: number, other: number) => number,
) {
  const first: number[] = [];
  let worst: number | undefined;
  const cut = () => {
    first.sort(order);
    if (first.length > most) first.length = most;
    if (first.length === most) worst = first.at(-1);
  };
  for (const value of values) {
    if (worst !== undefined && order(value, worst) >= 0) continue;
    first.push(value);
    if (first.length >= 2 * most) cut();
  }
  cut();
  return first;
}

/** Two values of a dimension, as the engine sorts them: texts by their bytes in UTF-8. */
export function compareInEngine(dimension: DimensionName, one: unknown, other: unknown): number {
  if (typeof one !== 'string') return compare(one, other);
  if (dimension === 'client_ip' || dimension === 'network') return compareAddresses(one, other as string);
  return compareBytes(one, other as string);
}

/** The order of two texts by their bytes in UTF-8. */
export function compareBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rankOf(a) - rankOf(b);
  }
  return one.length - other.length;
}

/** The halves of code points above U+FFFF come after all other units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
