import type { Window } from '../sql/scope.js';
import { toInstant } from './instant.js';
import { everyBucket, groupByTime } from './time-buckets.js';

/** Charts with one column for each name, such as a bot or an operator. */

/** A count of one name in one bucket; `time` is the bucket's start in milliseconds since the epoch. */
export interface NamedCount {
  readonly time: number;
  readonly name: string;
  readonly count: number;
}

export interface SeriesColumns<TimeColumn extends string> {
  /** Column of the bucket's start. */
  readonly time: TimeColumn;
  /** Names in this order; every row has all of them, with zeros. */
  readonly names: readonly string[];
  /** Column for the counts of all other names; absent: every name has a column. */
  readonly rest?: string;
}

/**
 * The names that get a column: the first ones that are not column names of the row itself. All others are in the rest.
 * @param names may be untrusted: user agents name bots.
 */
export function columnNames(names: readonly string[], reserved: readonly string[], most: number): string[] {
  return names.filter((name) => !reserved.includes(name)).slice(0, most);
}

/** A row for every bucket that the window touches, in order. All names are own properties, including `__proto__`. */
export function namedSeries<TimeColumn extends string>(
  { window, granularity }: { readonly window: Window; readonly granularity: 'hour' | 'day' },
  counts: readonly NamedCount[],
  { time: timeColumn, names, rest }: SeriesColumns<TimeColumn>,
): Record<string, string | number>[] {
  const groups = [...groupByTime(counts.map((count) => ({ ...count })))].map(([time, rows]) => ({
    time,
    rows,
  }));
  return everyBucket(window, granularity, groups, (time, group) => {
    const sums = new Map<string, number>(names.map((name) => [name, 0]));
    let others = 0;
    for (const { name, count } of group?.rows ?? []) {
      const sum = sums.get(name);
      if (sum === undefined) others += count;
      else sums.set(name, sum + count);
    }
    // An assignment would set the prototype for the name `__proto__`.
    return Object.fromEntries<string | number>([
      [timeColumn, toInstant(time)],
      ...sums,
      ...(rest === undefined ? [] : [[rest, others] as const]),
    ]);
  });
}
