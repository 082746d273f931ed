import ipaddr from 'ipaddr.js';
import { type Prefix, parsePrefix } from './prefixes.js';
import type { Feed } from './table-schema.js';

/** Limits for feeds: a wrong feed would verify impostors or reject true crawlers. */

/** Operators announce crawlers in small blocks. A wider block is a mistake or a whole hosting network. */
const widestAllowed = { ipv4: 16, ipv6: 32 };

/**
 * Unique prefixes of a feed, sorted, in canonical form.
 * @throws Error that names the prefix or count which the feed's guards refuse.
 */
export function guardPrefixes(
  feed: Pick<Feed, 'name' | 'min_prefixes' | 'max_prefixes' | 'widest'>,
  texts: readonly string[],
): string[] {
  const widest = feed.widest ?? widestAllowed;
  const prefixes = new Map<string, Prefix>();
  for (const text of texts) {
    const prefix = parsePrefix(text);
    const shortest = prefix.version === 4 ? widest.ipv4 : widest.ipv6;
    if (prefix.length < shortest) {
      throw new Error(`${feed.name}: ${text} is wider than /${shortest}`);
    }
    const address = ipaddr.process(text.replace(/\/.*/, ''));
    if (address.range() !== 'unicast')
      throw new Error(`${feed.name}: ${text} is ${address.range()}, not public`);
    prefixes.set(`${address}/${prefix.length}`, prefix);
  }
  if (prefixes.size < feed.min_prefixes || prefixes.size > feed.max_prefixes) {
    throw new Error(
      `${feed.name}: ${prefixes.size} prefixes, expected ${feed.min_prefixes} to ${feed.max_prefixes}`,
    );
  }
  return [...prefixes].sort(([, a], [, b]) => compare(a, b)).map(([text]) => text);
}

const LEAST_PART = 1 / 2;
const MOST_TIMES = 10;

/** A list that shrinks to less than half, or grows more than tenfold, is probably a server fault. */
export function changesTooMuch(before: number, after: number, leastPart = LEAST_PART): boolean {
  return after < before * leastPart || after > before * MOST_TIMES;
}

/** One wide prefix may outweigh all others, so addresses may shrink to a tenth. IPv6 is assigned in /64 networks. */
const measures: ReadonlyArray<{
  readonly unit: string;
  readonly leastPart: number;
  readonly of: (prefixes: readonly Prefix[]) => number;
}> = [
  { unit: 'prefixes', leastPart: LEAST_PART, of: (prefixes) => prefixes.length },
  { unit: 'IPv4 addresses', leastPart: 1 / 10, of: (prefixes) => covered(prefixes, 4, 32) },
  { unit: 'IPv6 networks', leastPart: 1 / 10, of: (prefixes) => covered(prefixes, 6, 64) },
];

function covered(prefixes: readonly Prefix[], version: 4 | 6, width: number): number {
  return prefixes
    .filter((prefix) => prefix.version === version)
    .reduce((sum, { length }) => sum + 2 ** (width - length), 0);
}

/**
 * An address version that the earlier list lacks is not compared, since an operator may start using it: only the widest
 * prefix bounds it.
 * @throws Error with both counts if the list changed too much.
 */
export function guardChange(
  { name }: Pick<Feed, 'name'>,
  before: readonly string[],
  after: readonly string[],
): void {
  const [old, found] = [before.map(parsePrefix), after.map(parsePrefix)];
  for (const { unit, leastPart, of } of measures) {
    const [was, is] = [of(old), of(found)];
    if (was > 0 && changesTooMuch(was, is, leastPart))
      throw new Error(`${name}: ${is} ${unit} after ${was}, changed too much to be accepted`);
  }
}

function compare(a: Prefix, b: Prefix): number {
  if (a.version !== b.version) return a.version - b.version;
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.length - b.length;
}
