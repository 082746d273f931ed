import { z } from 'zod';
import type { ClickHouseReader, Query, QueryParameter } from '../clickhouse/client.js';
import { clientIpText } from './client-ip.js';
import { type DimensionName, type DimensionValue, dimensions, isIpv4 } from './dimensions.js';
import type { DimensionFilter } from './filters.js';
import {
  alsoStored,
  latestOf,
  type MetricName,
  type MetricValue,
  metrics,
  type Resolved,
  resolveMetric,
  told,
} from './metrics.js';
import type { Rollup } from './rollups.js';
import type { Scope } from './scope.js';
import { chooseRollup, sourceOf } from './source.js';

/**
 * Questions are composed: metrics, how they are split, and what of the previous window stands beside them. The statement,
 * the type of its rows and the check of what the engine answers follow from that. One statement reads each table once, for
 * both windows and for all lists of an answer.
 */
export interface Selection {
  /** Says in the database's log who asked, e.g. `summary.traffic`. */
  readonly name: string;
  /** Tables that can answer, the cheapest first (source.ts chooses). */
  readonly from: readonly [Rollup, ...Rollup[]];
  /** The lists of the answer by name. */
  readonly lists: Readonly<Record<string, ListOf>>;
  readonly metrics: readonly MetricName[];
  /** Those that are told of the previous window too, as `previous_<name>`; any makes the statement read that window. */
  readonly previous?: readonly MetricName[];
  /** Dimensions whose value in the latest request is told, as `latest_<name>`; the rollup must store `last_seen`. */
  readonly latest?: readonly DimensionName[];
  /** How many values of these there are, exactly, as `distinct_<name>`. */
  readonly distinct?: readonly DimensionName[];
  /** The buckets of lists that are split by time. By hour no day table is read. */
  readonly time?: 'hour' | 'day';
  readonly where?: readonly DimensionFilter[];
  /** Limits hold for each value of this dimension, not for the list; with one list only. */
  readonly limitPer?: DimensionName;
}

/** How one list of the answer is split; by nothing: one row, of everything. */
export interface ListOf {
  readonly by: readonly DimensionName[];
  /** Splits by time too: `time` is the bucket's start in milliseconds. Empty buckets are absent. */
  readonly overTime?: boolean;
  /** Most rows; every split list of a selection has a limit, or none. */
  readonly limit?: number;
  /** Tells also of what the previous window alone has. */
  readonly withPast?: boolean;
}

type Of<Names> = Names extends readonly (infer Name)[] ? Name : never;
type Values<Names> = { [Name in Of<Names> & DimensionName]: DimensionValue<Name> };

/** A row of a list: the dimensions that it is split by, and its figures. */
export type SelectedRow<Given extends Selection, List extends ListOf> = Values<List['by']> & {
  [Name in Of<Given['latest']> & DimensionName as `latest_${Name}`]: string;
} & { [Name in Of<Given['metrics']> & MetricName]: MetricValue<Name> } & {
  [Name in Of<Given['previous']> & MetricName as `previous_${Name}`]: MetricValue<Name>;
} & { [Name in Of<Given['distinct']> & DimensionName as `distinct_${Name}`]: number } & { time: number };

export type Selected<Given extends Selection> = {
  [Name in keyof Given['lists']]: SelectedRow<Given, Given['lists'][Name]>[];
};

/** Rows of each list, most of the first metric first, then by name; over time in order of time, then by name. */
export async function select<const Given extends Selection>(
  reader: ClickHouseReader,
  scope: Scope,
  selection: Given,
): Promise<Selected<Given>> {
  const [first] = selection.metrics as [MetricName];
  const rows = await reader.read(composeSelect(scope, selection));
  const lists = Object.entries(selection.lists).map(([name, list], index) => {
    const own = rows
      .filter((row) => row.list === index && (list.withPast || isTotal(list) || Number(row[first]) > 0))
      .slice(0, selection.limitPer === undefined ? list.limit : undefined);
    return [name, isTotal(list) && own.length === 0 ? [rowOfNothing(selection)] : own];
  });
  return Object.fromEntries(lists);
}

const isTotal = ({ by, overTime = false }: ListOf) => by.length === 0 && !overTime;

type Row = Record<string, unknown> & { list: number };

/** The statement, for those who join it with others. */
function composeSelect(scope: Scope, selection: Selection): Query<Row> {
  const lists = Object.values(selection.lists);
  const { rollup } = chooseRollup(selection.from, scope);
  const resolved = new Map(
    [...selection.metrics, ...(selection.previous ?? [])].map((metric) => [metric, resolve(metric, rollup)]),
  );
  const compare = (selection.previous ?? []).length > 0;
  const source = sourceOf(selection.from, scope, {
    dimensions: neededDimensions(selection, resolved),
    metrics: neededMetrics(selection, resolved),
    time: selection.time,
    compare,
    where: selection.where,
  });
  // In the order of the list that is split most: rows that are equal come in the order of its names.
  const bySplit = lists.toSorted((a, b) => b.by.length - a.by.length);
  const keys = [...new Set(bySplit.flatMap(keysOf))];
  const [first] = selection.metrics as [MetricName];
  const order = [`${first} DESC`, ...keys.map((key) => `s.${key}`)];
  const byTime = lists.some(({ overTime }) => overTime);
  const params: Record<string, QueryParameter> = { ...source.params };
  const limit = limitOf(lists, params, selection.limitPer);
  const total = lists.findIndex(isTotal);
  const past = lists.some(({ withPast }) => withPast) ? [`previous_${first} > 0`] : [];
  return {
    name: selection.name,
    sql: `SELECT ${[listNumber(lists, keys), ...keys.map(keyColumn), ...figures(selection, resolved, compare)].join(', ')}
FROM (${source.sql}) AS s
${groupBy(lists)}HAVING ${[`${first} > 0`, ...past, ...(total < 0 ? [] : [`list = ${total}`])].join(' OR ')}
ORDER BY list, ${(byTime ? ['s.time', ...order.filter((key) => key !== 's.time')] : order).join(', ')}${limit}`,
    params,
    row: rowSchema(selection, keys) as unknown as z.ZodType<Row>,
  };
}

function resolve(metric: MetricName, rollup: Rollup): Resolved {
  const resolved = resolveMetric(metric, { ...rollup, dimensions: withVerification(rollup) });
  if (resolved === null) throw new Error(`${rollup.hourTable} can't tell ${metric}`);
  return resolved;
}

function withVerification({ dimensions: held }: Rollup): readonly DimensionName[] {
  return held.includes('pending_ip') ? [...held, 'verification'] : held;
}

function neededDimensions(
  { lists, latest = [], distinct = [] }: Selection,
  resolved: ReadonlyMap<MetricName, Resolved>,
): DimensionName[] {
  const of = Object.values(lists).flatMap(({ by }) => by);
  return [...new Set([...of, ...latest, ...distinct, ...[...resolved.values()].flatMap(({ on }) => on)])];
}

function neededMetrics(
  { latest = [] }: Selection,
  resolved: ReadonlyMap<MetricName, Resolved>,
): MetricName[] {
  const stored = [...resolved.values()].flatMap((metric) => [metric.stored, ...alsoStored(metric.stored)]);
  return [...new Set([...stored, ...(latest.length === 0 ? [] : (['last_seen'] as const))])];
}

function keysOf({ by, overTime = false }: ListOf): (DimensionName | 'time')[] {
  return overTime ? ['time', ...by] : [...by];
}

/** Which list a row is of: the engine tells of each key whether the row is split by it. */
function listNumber(lists: readonly ListOf[], keys: readonly string[]): string {
  if (lists.length === 1) return '0 AS list';
  const tests = lists.slice(0, -1).map((list, index) => {
    const own: readonly string[] = keysOf(list);
    const test = keys.map((key) => `grouping(s.${key}) = ${own.includes(key) ? 0 : 1}`).join(' AND ');
    return `${test}, ${index}`;
  });
  return `multiIf(${tests.join(', ')}, ${lists.length - 1}) AS list`;
}

function keyColumn(key: DimensionName | 'time'): string {
  if (key === 'time') return 'toUnixTimestamp(s.time) * 1000 AS time';
  if (key === 'client_ip') return `${clientIpText('s.client_ip')} AS client_ip`;
  if (key === 'network')
    return `concat(${clientIpText('s.network')}, if(${isIpv4('s.network')}, '/24', '/48')) AS network`;
  return `s.${key} AS ${key}`;
}

function figures(
  { metrics: asked, previous = [], latest = [], distinct = [] }: Selection,
  resolved: ReadonlyMap<MetricName, Resolved>,
  compare: boolean,
): string[] {
  const current = compare ? 's.is_current' : undefined;
  const only = (condition: string) => (compare ? `If(${condition}, s.is_current)` : `(${condition})`);
  return [
    ...asked.map((metric) => `${told(metric, resolved.get(metric)!, current)} AS ${metric}`),
    ...previous.map(
      (metric) => `${told(metric, resolved.get(metric)!, 'NOT s.is_current')} AS previous_${metric}`,
    ),
    ...latest.map(
      (name) => `${latestOf(`toString(s.${name})`, `toString(s.${name})`, current)} AS latest_${name}`,
    ),
    ...distinct.map((name) => `uniqExact${only(`s.${name}`)} AS distinct_${name}`),
  ];
}

function groupBy(lists: readonly ListOf[]): string {
  const setOf = (list: ListOf) =>
    `(${keysOf(list)
      .map((key) => `s.${key}`)
      .join(', ')})`;
  if (lists.length > 1) return `GROUP BY GROUPING SETS (${lists.map(setOf).join(', ')})\n`;
  return isTotal(lists[0]!) ? '' : `GROUP BY ${setOf(lists[0]!).slice(1, -1)}\n`;
}

/** The most rows that any list wants, of each list. */
function limitOf(
  lists: readonly ListOf[],
  params: Record<string, QueryParameter>,
  limitPer: DimensionName | undefined,
): string {
  const limits = lists.filter((list) => !isTotal(list)).map(({ limit }) => limit);
  if (limits.length === 0 || limits.includes(undefined)) return '';
  params.list_limit = Math.max(...(limits as number[]));
  if (limitPer !== undefined) return `\nLIMIT {list_limit: UInt32} BY s.${limitPer}`;
  return lists.length === 1 ? '\nLIMIT {list_limit: UInt32}' : '\nLIMIT {list_limit: UInt32} BY list';
}

function rowSchema(
  { metrics: asked, previous = [], latest = [], distinct = [] }: Selection,
  keys: readonly (DimensionName | 'time')[],
) {
  return z.object({
    list: z.number(),
    ...Object.fromEntries(keys.map((key) => [key, key === 'time' ? z.number() : dimensions[key].type])),
    ...Object.fromEntries(latest.map((name) => [`latest_${name}`, z.string()])),
    ...Object.fromEntries(asked.map((metric) => [metric, metrics[metric].type])),
    ...Object.fromEntries(previous.map((metric) => [`previous_${metric}`, metrics[metric].type])),
    ...Object.fromEntries(distinct.map((name) => [`distinct_${name}`, z.number()])),
  });
}

/** What a total tells where nothing was counted. */
function rowOfNothing({ metrics: asked, previous = [], latest = [], distinct = [] }: Selection): Row {
  return {
    list: 0,
    ...Object.fromEntries(latest.map((name) => [`latest_${name}`, ''])),
    ...Object.fromEntries(asked.map((metric) => [metric, metrics[metric].none])),
    ...Object.fromEntries(previous.map((metric) => [`previous_${metric}`, metrics[metric].none])),
    ...Object.fromEntries(distinct.map((name) => [`distinct_${name}`, 0])),
  };
}
