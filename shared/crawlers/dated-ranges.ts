import type { AddressRanges } from './address-ranges.js';
import { parsePrefix, rangesOfPrefixes } from './prefixes.js';
import type { RangeSnapshot } from './table-schema.js';

/** What each feed has published, oldest first, by its name. */
export type RangeHistory = ReadonlyMap<string, readonly RangeSnapshot[]>;

/** The first day on which the snapshot's list was current, in milliseconds since the epoch. */
export function currentSince({ since, retrieved }: RangeSnapshot): number {
  return Date.parse(since ?? retrieved);
}

/** A value of the lists that are current at a moment (milliseconds since the epoch). */
export type AtMoment<Value> = (at: number) => Value;

/**
 * A value for each stretch of time in which the same lists of these feeds are current. A moment before a feed's first list has the
 * first one: nobody knows what was published before.
 * @throws Error where a feed has no snapshot: its crawlers would all seem spoofed.
 */
export function byLists<Value>(
  feeds: readonly string[],
  history: RangeHistory,
  makeValue: (current: readonly RangeSnapshot[]) => Value,
): AtMoment<Value> {
  const lists = feeds.map((feed) => {
    const snapshots = history.get(feed);
    if (snapshots === undefined || snapshots.length === 0) throw new Error(`no snapshot of the feed ${feed}`);
    return snapshots;
  });
  const starts = [...new Set(lists.flat().map(currentSince))].sort((a, b) => b - a);
  const stretches = starts.map((since) => ({
    since,
    value: makeValue(
      lists.map((snapshots) => snapshots.findLast((one) => currentSince(one) <= since) ?? snapshots[0]!),
    ),
  }));
  const first = stretches.at(-1);
  if (first === undefined) {
    const value = makeValue([]);
    return () => value;
  }
  // Most requests are of the newest stretch.
  return (at) => (stretches.find(({ since }) => since <= at) ?? first).value;
}

/** The addresses of several lists, merged. @throws Error for a prefix that is none. */
export function rangesOf(lists: readonly RangeSnapshot[]): AddressRanges {
  return rangesOfPrefixes(lists.flatMap(({ prefixes }) => prefixes.map(parsePrefix)));
}
