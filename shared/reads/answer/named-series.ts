import type { Window } from '../sql/scope.js';
import { toInstant } from './instant.js';
import { everyBucket, groupByTime } from './time-buckets.js';

/** Charts whose rows have a column for each name: of a bot, of an operator. */

/** A count of one name in one bucket; `time` is the bucket's start in milliseconds since the epoch. */
export interface NamedCount {
  readonly time: number;
  readonly name: string;
  readonly count: number;
}

export interface SeriesColumns<TimeColumn extends string> {
  /** Of the bucket's start. */
  readonly time: TimeColumn;
  /** In this order; all of them in every row, with zeros. */
  readonly names: readonly string[];
  /** Takes what has no column of its own; absent: everything has one. */
  readonly rest?: string;
}

/**
 * The names that get a column: the first of them that the row does not use itself. Others are in the rest.
 * @param names from outside, perhaps: user agents name bots.
 */
export function columnNames(names: readonly string[], reserved: readonly string[], most: number): string[] {
  return names.filter((name) => !reserved.includes(name)).slice(0, most);
}

/** A row for every bucket that the window touches, in order. Its names are its own properties, `__proto__` too. */
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
    // Not by assignment, which would set the prototype for one name.
    return Object.fromEntries<string | number>([
      [timeColumn, toInstant(time)],
      ...sums,
      ...(rest === undefined ? [] : [[rest, others] as const]),
    ]);
  });
}
