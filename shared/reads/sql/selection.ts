import type { DimensionName, DimensionValue } from './dimensions.js';
import type { DimensionFilter } from './filters.js';
import type { MetricName, MetricValue } from './metrics.js';
import type { Rollup } from './read-tables.js';

/**
 * Questions are composed: metrics, how they are split, and what of the previous window stands beside them. The statement,
 * the type of its rows and the check of what the engine answers follow from that. One statement reads each table once, for
 * both windows and for all lists of an answer.
 */
export interface Selection {
  /** Says in the database's log who asked, e.g. `summary.traffic`. */
  readonly name: string;
  /** Tables that can answer, the cheapest first (table-source.ts chooses). */
  readonly from: readonly [Rollup, ...Rollup[]];
  /** The lists of the answer by name. Where all are split by path, requests of no path are left out (filters.ts). */
  readonly lists: Readonly<Record<string, ListOf>>;
  readonly metrics: readonly MetricName[];
  /** Those that are told of the previous window too, as `previous_<name>`; any makes the statement read that window. */
  readonly previous?: readonly MetricName[];
  /** Dimensions whose value in the latest request is told, as `latest_<name>`; the rollup must store `last_seen`. */
  readonly latest?: readonly DimensionName[];
  /** How many values of these there are, exactly, as `distinct_<name>`; no path is none. */
  readonly distinct?: readonly DimensionName[];
  /** The buckets of lists that are split by time. By hour no day table is read. */
  readonly time?: 'hour' | 'day';
  readonly where?: readonly DimensionFilter[];
  /** Counts nothing but the values of this dimension that have most of the first metric, then by name; without a previous window. */
  readonly among?: { readonly dimension: DimensionName; readonly most: number };
  /** Limits hold for each value of this dimension, not for the list; with one list only. */
  readonly limitPer?: DimensionName;
  /**
   * The engine splits once, by all that is asked about, and the lists are folded from those rows here: for dimensions of few values
   * and metrics that add up. Where there are very many rows all the same, the engine makes the lists, of their greatest rows. Many lists and many conditions in a statement cost the engine more than some hundred rows do.
   */
  readonly foldedHere?: true;
}

/** How one list of the answer is split; by nothing: one row, of everything. */
export interface ListOf {
  readonly by: readonly DimensionName[];
  /** Splits by time too: `time` is the bucket's start in milliseconds. Empty buckets are absent; the previous window is one, of the time 0. */
  readonly overTime?: boolean;
  /** Most rows. Where the engine makes the lists, every split one has a limit, or none. */
  readonly limit?: number;
  /** Rows before the first one, of a list that is alone and that the engine makes. */
  readonly offset?: number;
  /** Tells also of what the previous window alone has. */
  readonly withPast?: boolean;
}

type Of<Names> = Names extends readonly (infer Name)[] ? Name : never;
type Values<Names> = { [Name in Of<Names> & DimensionName]: DimensionValue<Name> };

/** A row of a list: the dimensions that it is split by, and its figures. */
export type SelectedRow<Given extends Omit<Selection, 'lists'>, List extends ListOf> = Values<List['by']> & {
  [Name in Of<Given['latest']> & DimensionName as `latest_${Name}`]: string;
} & { [Name in Of<Given['metrics']> & MetricName]: MetricValue<Name> } & {
  [Name in Of<Given['previous']> & MetricName as `previous_${Name}`]: MetricValue<Name>;
} & { [Name in Of<Given['distinct']> & DimensionName as `distinct_${Name}`]: number } & { time: number };

export type Selected<Given extends Selection> = {
  [Name in keyof Given['lists']]: SelectedRow<Given, Given['lists'][Name]>[];
};

/** One row, of everything. */
export function isTotal({ by, overTime = false }: ListOf): boolean {
  return by.length === 0 && !overTime;
}

/** The columns that a list is grouped by, time among them. */
export function keysOf({ by, overTime = false }: ListOf): (DimensionName | 'time')[] {
  return overTime ? ['time', ...by] : [...by];
}

/** Whether the previous window is read too. */
export function readsPrevious({ previous = [] }: Selection): boolean {
  return previous.length > 0;
}
