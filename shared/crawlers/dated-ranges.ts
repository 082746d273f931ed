import { DAY_MS, HOUR_MS } from '../durations.js';
import type { AddressRanges } from './address-ranges.js';
import { parsePrefix, rangesOfPrefixes } from './prefixes.js';
import type { Feed, RangeSnapshot } from './table-schema.js';

/** What each feed has published, oldest first, by its name. */
export type RangeHistory = ReadonlyMap<string, readonly RangeSnapshot[]>;

/** The first day on which the snapshot's list was current, in milliseconds since the epoch. */
export function currentSince({ since, retrieved }: RangeSnapshot): number {
  return Date.parse(since ?? retrieved);
}

/** How far clocks of one installation may differ. */
const CLOCKS_DIFFER_MS = HOUR_MS;

/**
 * A list without dates later than now, which a clock that was ahead gave it: such a list counts as downloaded on its first day. Null where that day
 * is later, too: nobody knows when it was downloaded.
 */
export function knownBy(list: RangeSnapshot, now: number): RangeSnapshot | null {
  const latest = now + CLOCKS_DIFFER_MS;
  if (Date.parse(list.retrieved) <= latest) return list;
  const { since, ...rest } = list;
  return since === undefined || Date.parse(since) > latest ? null : { ...rest, retrieved: since };
}

/** A value of the lists that are current at a moment (milliseconds since the epoch). */
export type AtMoment<Value> = (at: number) => Value;

/** The list of one feed that counts at a moment. */
export interface CurrentList {
  readonly snapshot: RangeSnapshot;
  /**
   * `fresh`: it was downloaded so near to the moment that an address outside it is not the operator's. `early`: the moment is long before the first
   * list; `old`: long after the download.
   */
  readonly age: 'early' | 'fresh' | 'old';
}

/** A feed, and how long a list of it tells who is not the operator's. */
export type DatedFeed = Pick<Feed, 'name' | 'fresh_days'>;

const FRESH_DAYS = 30;

/** Milliseconds for which a list of the feed is fresh after its download. */
function freshTime({ fresh_days = FRESH_DAYS }: DatedFeed): number {
  return (fresh_days + 1) * DAY_MS;
}

/**
 * A value for each stretch of time in which the same lists of these feeds are current and equally fresh, made when the stretch is first asked for:
 * most never are. A moment before a feed's first list has the first one: nobody knows what was published before.
 * @throws Error where a feed has no snapshot: its crawlers would all seem spoofed.
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
    // Most requests are of the newest stretches.
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

/** The addresses of several lists, merged. @throws Error for a prefix that is none. */
export function rangesOf(lists: readonly CurrentList[]): AddressRanges {
  return rangesOfPrefixes(lists.flatMap(({ snapshot }) => snapshot.prefixes.map(parsePrefix)));
}
