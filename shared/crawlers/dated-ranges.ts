import { DAY_MS, HOUR_MS } from '../durations.js';
import type { AddressRanges } from './address-ranges.js';
import { parsePrefix, rangesOfPrefixes } from './prefixes.js';
import type { Feed, RangeSnapshot } from './table-schema.js';

/** Published lists of each feed, oldest first, by feed name. */
export type RangeHistory = ReadonlyMap<string, readonly RangeSnapshot[]>;

/** The first day of the snapshot's list, milliseconds since the epoch. */
export function currentSince({ since, retrieved }: RangeSnapshot): number {
  return Date.parse(since ?? retrieved);
}

/** Largest clock difference within one installation. */
const CLOCKS_DIFFER_MS = HOUR_MS;

/**
 * Corrects dates in the future, which a clock that was ahead recorded: the list then counts as downloaded on its first
 * day. Null if that day is in the future too, since the download time is unknown.
 */
export function knownBy(list: RangeSnapshot, now: number): RangeSnapshot | null {
  const latest = now + CLOCKS_DIFFER_MS;
  if (Date.parse(list.retrieved) <= latest) return list;
  const { since, ...rest } = list;
  return since === undefined || Date.parse(since) > latest ? null : { ...rest, retrieved: since };
}

/** A value derived from the lists at a time (milliseconds since the epoch). */
export type AtMoment<Value> = (at: number) => Value;

/** The applicable list of one feed at a time. */
export interface CurrentList {
  readonly snapshot: RangeSnapshot;
  /**
   * `fresh`: downloaded so close to this time that an address outside it is not the operator's. `early`: this time is
   * long before the first list; `old`: long after the download.
   */
  readonly age: 'early' | 'fresh' | 'old';
}

/** A feed, and how long absence from its list proves that an address is not the operator's. */
export type DatedFeed = Pick<Feed, 'name' | 'fresh_days'>;

const FRESH_DAYS = 30;

/** Milliseconds for which a list of the feed is fresh after its download. */
function freshTime({ fresh_days = FRESH_DAYS }: DatedFeed): number {
  return (fresh_days + 1) * DAY_MS;
}

/**
 * Computes a value for each period in which the same lists of these feeds apply with the same age. Values are lazy,
 * because most are never needed. Before a feed's first list, that list applies, since earlier ones are unknown.
 * @throws Error if a feed has no snapshot: all its crawlers would be classified as spoofed.
 */
export function byLists<Value extends object | string>(
  feeds: readonly DatedFeed[],
  history: RangeHistory,
  makeValue: (current: readonly CurrentList[]) => Value,
): AtMoment<Value> {
  const lists = feeds.map((feed) => {
    const snapshots = history.get(feed.name);
    if (snapshots === undefined || snapshots.length === 0)
      throw new Error(`no snapshot of the feed ${feed.name}`);
    return { snapshots, freshMs: freshTime(feed) };
  });
  const turns = lists.flatMap(({ snapshots, freshMs }) => [
    currentSince(snapshots[0]!) - freshMs,
    ...snapshots.flatMap((one) => [currentSince(one), Date.parse(one.retrieved) + freshMs]),
  ]);
  const starts = [Number.NEGATIVE_INFINITY, ...new Set(turns)].sort((a, b) => b - a);
  const values = new Map<number, Value>();
  return (at) => {
    // Newest first: most requests are recent.
    const since = starts.find((start) => start <= at)!;
    let value = values.get(since);
    if (value === undefined) {
      value = makeValue(lists.map(({ snapshots, freshMs }) => currentAt(snapshots, freshMs, since)));
      values.set(since, value);
    }
    return value;
  };
}

function currentAt(snapshots: readonly RangeSnapshot[], freshMs: number, at: number): CurrentList {
  const snapshot = snapshots.findLast((one) => currentSince(one) <= at) ?? snapshots[0]!;
  if (at < currentSince(snapshot) - freshMs) return { snapshot, age: 'early' };
  return { snapshot, age: at < Date.parse(snapshot.retrieved) + freshMs ? 'fresh' : 'old' };
}

/** The addresses of several lists, merged. @throws Error for an invalid prefix. */
export function rangesOf(lists: readonly CurrentList[]): AddressRanges {
  return rangesOfPrefixes(lists.flatMap(({ snapshot }) => snapshot.prefixes.map(parsePrefix)));
}
