import type { DimensionName, DimensionValue } from './dimensions.js';
import type { DimensionFilter } from './filters.js';
import type { MetricName, MetricValue } from './metrics.js';
import type { Rollup } from './read-tables.js';

/**
 * Questions are composed of metrics, their grouping, and figures of the previous window. The statement, the type of its rows and the check
 * of the engine's rows are derived from them. One statement reads each table once, for both windows and all lists of an answer.
 */
export interface Selection {
  /** Identifies the read in the database's log, e.g. `summary.traffic`. */
  readonly name: string;
  /** Tables that can answer, cheapest first (table-source.ts chooses). */
  readonly from: readonly [Rollup, ...Rollup[]];
  /** The lists of the answer by name. If all are grouped by path, requests without a path are excluded (filters.ts). */
  readonly lists: Readonly<Record<string, ListOf>>;
  readonly metrics: readonly MetricName[];
  /** Metrics that are also computed for the previous window, as `previous_<name>`; any of them makes the statement read that window. */
  readonly previous?: readonly MetricName[];
  /** Dimensions whose value in the latest request is returned, as `latest_<name>`; the rollup must store `last_seen`. */
  readonly latest?: readonly DimensionName[];
  /** Dimensions whose number of values is returned, exactly, as `distinct_<name>`; an empty path does not count. */
  readonly distinct?: readonly DimensionName[];
  /** The buckets of lists over time. With `hour` no day table is read. */
  readonly time?: 'hour' | 'day';
  readonly where?: readonly DimensionFilter[];
  /** Limits apply to each value of this dimension instead of to the list; only with one list. */
  readonly limitPer?: DimensionName;
  /**
   * The engine groups once by all keys, and this process folds the lists from those rows: for dimensions with few values and metrics that
   * add up. If there are too many rows, the engine makes the lists from all rows and cuts each list to its greatest rows. For the engine, many
   * lists and conditions cost more than some hundred rows.
   */
  readonly foldedHere?: true;
}

/** The grouping of one list of the answer; without keys: one row of totals. */
export interface ListOf {
  readonly by: readonly DimensionName[];
  /**
   * Also groups by time: `time` is the bucket's start in milliseconds. Empty buckets are absent; the previous window is one bucket, with
   * the time 0.
   */
  readonly overTime?: boolean;
  /** Maximum rows. If the engine makes the lists, all grouped ones have a limit, or none. */
  readonly limit?: number;
  /** Rows to skip, for a single list that the engine makes. */
  readonly offset?: number;
  /** Includes rows that only the previous window has. */
  readonly withPast?: boolean;
}

type Of<Names> = Names extends readonly (infer Name)[] ? Name : never;
type Values<Names> = { [Name in Of<Names> & DimensionName]: DimensionValue<Name> };

/** A row of a list: its dimensions and its figures. */
export type SelectedRow<Given extends Omit<Selection, 'lists'>, List extends ListOf> = Values<List['by']> & {
  [Name in Of<Given['latest']> & DimensionName as `latest_${Name}`]: string;
} & { [Name in Of<Given['metrics']> & MetricName]: MetricValue<Name> } & {
  [Name in Of<Given['previous']> & MetricName as `previous_${Name}`]: MetricValue<Name>;
} & { [Name in Of<Given['distinct']> & DimensionName as `distinct_${Name}`]: number } & { time: number } & {
  /** Only with `previous`, and without a limit. */
  [Name in Of<Given['distinct']> & DimensionName as `previous_distinct_${Name}`]: number;
};

export type Selected<Given extends Selection> = {
  [Name in keyof Given['lists']]: SelectedRow<Given, Given['lists'][Name]>[];
};

/** Whether the list is one row of totals. */
export function isTotal({ by, overTime = false }: ListOf): boolean {
  return by.length === 0 && !overTime;
}

/** The columns that a list is grouped by, including time. */
export function keysOf({ by, overTime = false }: ListOf): (DimensionName | 'time')[] {
  return overTime ? ['time', ...by] : [...by];
}

/** Whether the previous window is also read. */
export function readsPrevious({ previous = [] }: Selection): boolean {
  return previous.length > 0;
}
