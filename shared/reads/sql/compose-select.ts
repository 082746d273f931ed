import { z } from 'zod';
import type { Query, QueryParameter } from '../../store/client.js';
import { clientIpText, networkText } from './client-ip.js';
import { type DimensionName, dimensions } from './dimensions.js';
import { dimensionFilters, onPaths } from './filters.js';
import {
  alsoStored,
  foldedSql,
  latestOf,
  type MetricName,
  metrics,
  type Resolved,
  resolveMetric,
} from './metrics.js';
import { hasVerification, type Rollup } from './read-tables.js';
import type { Scope } from './scope.js';
import { isTotal, keysOf, type ListOf, readsPrevious, type Selection } from './selection.js';
import { chooseRollup, readsVerdicts, type TableSource, tableSourceOf } from './table-source.js';

/** Builds the statements of a selection, and derives its metrics from the columns of the chosen table. */

export type ResolvedMetrics = ReadonlyMap<MetricName, Resolved>;

/** A row of a statement: dimensions, `time` and figures by name. */
export type Row = Readonly<Record<string, unknown>>;

/** @throws Error if the table cannot provide a metric. */
export function resolveMetrics(
  scope: Scope,
  { from, metrics: names, previous = [] }: Selection,
): ResolvedMetrics {
  const { rollup } = chooseRollup(from, scope);
  return new Map([...names, ...previous].map((metric) => [metric, resolve(metric, rollup)]));
}

function resolve(metric: MetricName, rollup: Rollup): Resolved {
  const resolved = resolveMetric(metric, { ...rollup, dimensions: allDimensions(rollup) });
  if (resolved === null) throw new Error(`${rollup.hourTable} cannot provide ${metric}`);
  return resolved;
}

function allDimensions(rollup: Rollup): readonly DimensionName[] {
  return hasVerification(rollup) ? [...rollup.dimensions, 'verification'] : rollup.dimensions;
}

/**
 * The engine groups each list; `list` is its number. If no list has a limit, each window has its own rows (`is_current`), because fewer
 * columns cost the engine less. Otherwise columns hold the previous window, and the current one ranks the rows.
 */
export function composeLists(scope: Scope, selection: Selection, resolved: ResolvedMetrics): Query<Row> {
  const lists = Object.values(selection.lists);
  const apart = hasSeparateWindows(selection);
  // The order of keys is that of the list with the most keys: its names break ties.
  const keys = [...new Set(lists.toSorted((a, b) => b.by.length - a.by.length).flatMap(keysOf))];
  const source = readFrom(scope, selection, resolved);
  const params: Record<string, QueryParameter> = { ...source.params };
  const limit = limitOf(lists, params, selection.limitPer);
  const columns = [
    listNumber(lists, keys),
    ...(apart ? ['s.is_current AS is_current'] : []),
    ...keys.map(keyColumn),
    ...figures(selection, resolved, readsPrevious(selection) && !apart),
  ];
  return {
    name: selection.name,
    sql: `SELECT ${columns.join(', ')}
FROM (${source.sql}) AS s
${groupBy(lists, apart)}${apart ? '' : ranking(selection, keys)}${limit}`,
    params,
    row: rowSchema(selection, keys, apart),
  };
}

/** Whether each window has its own rows. */
export function hasSeparateWindows(selection: Selection): boolean {
  return readsPrevious(selection) && Object.values(selection.lists).every(({ limit }) => limit === undefined);
}

/** Grouped by all keys together: rows from which the lists can be folded (fold-lists.ts). */
export function composeFinest(scope: Scope, selection: Selection, resolved: ResolvedMetrics): Query<Row> {
  const source = readFrom(scope, selection, resolved);
  const time = Object.values(selection.lists).some(({ overTime }) => overTime) ? (['time'] as const) : [];
  const keys = [...time, ...neededDimensions(selection, resolved, isTestedHere)];
  const figures = new Map(neededMetrics(selection, resolved).map((metric) => [metric, whole(metric)]));
  for (const [metric, way] of resolved) {
    const { name, definition } = finestColumn(metric, way);
    figures.set(name, definition);
  }
  const window = readsPrevious(selection) ? ['is_current'] : [];
  const columns = [
    ...window.map((name) => `s.${name} AS ${name}`),
    ...keys.map(keyColumn),
    ...[...figures].map(([name, definition]) => `${foldedSql(name, definition)} AS ${name}`),
  ];
  return {
    name: selection.name,
    sql: `SELECT ${columns.join(', ')}
FROM (${source.sql}) AS s
GROUP BY ${[...window, ...keys].map((key) => `s.${key}`).join(', ')}`,
    params: source.params,
    row: z.object({
      ...Object.fromEntries(window.map((name) => [name, z.number()])),
      ...keyTypes(keys),
      ...Object.fromEntries([...figures.keys()].map((name) => [name, metrics[name].type])),
    }),
  };
}

const whole = (metric: MetricName): Resolved => ({ stored: metric, conditions: [] });

/**
 * Whether conditions on the dimension are tested when lists are folded: it has few values in any log. The engine tests all other conditions
 * and does not group by their dimensions, because a log may have a thousand statuses for each bot.
 */
export function isTestedHere(dimension: DimensionName): boolean {
  return dimension === 'verification' || dimension === 'bot_verification';
}

/** The column of the finest grouping from which a metric is folded. */
export function finestColumn(
  metric: MetricName,
  { stored, conditions }: Resolved,
): { name: MetricName; definition: Resolved } {
  const inEngine = conditions.filter(({ on }) => !isTestedHere(on));
  return inEngine.length === 0
    ? { name: stored, definition: whole(stored) }
    : { name: metric, definition: { stored, conditions: inEngine } };
}

/** Whether the statement of the selection resolves pending claims. */
export function resolvesClaims({ filters }: Scope, selection: Selection, resolved: ResolvedMetrics): boolean {
  const conditions = [...dimensionFilters(filters), ...(selection.where ?? [])];
  return readsVerdicts(neededDimensions(selection, resolved), conditions);
}

function readFrom(scope: Scope, selection: Selection, resolved: ResolvedMetrics): TableSource {
  return tableSourceOf(selection.from, scope, {
    dimensions: neededDimensions(selection, resolved),
    metrics: neededMetrics(selection, resolved),
    time: selection.time,
    compare: readsPrevious(selection),
    where: [...(selection.where ?? []), ...(isByPath(selection) ? [onPaths] : [])],
  });
}

/** Whether every list is grouped by path: requests without a path are excluded. */
function isByPath({ lists }: Selection): boolean {
  return Object.values(lists).every(({ by }) => by.includes('path'));
}

/** @param isTested selects the dimensions of conditions to include. */
function neededDimensions(
  { lists, latest = [], distinct = [] }: Selection,
  resolved: ResolvedMetrics,
  isTested: (dimension: DimensionName) => boolean = () => true,
): DimensionName[] {
  const of = Object.values(lists).flatMap(({ by }) => by);
  const tested = [...resolved.values()].flatMap(({ conditions }) => conditions.map(({ on }) => on));
  return [...new Set([...of, ...latest, ...distinct, ...tested.filter(isTested)])];
}

function neededMetrics({ latest = [] }: Selection, resolved: ResolvedMetrics): MetricName[] {
  const stored = [...resolved.values()].flatMap((metric) => [metric.stored, ...alsoStored(metric.stored)]);
  return [...new Set([...stored, ...(latest.length === 0 ? [] : (['last_seen'] as const))])];
}

/** The number of the list that a row belongs to: the engine reports for each key whether the row is grouped by it. */
function listNumber(lists: readonly ListOf[], keys: readonly string[]): string {
  if (lists.length === 1) return '0 AS list';
  const tests = lists.slice(0, -1).map((list, index) => {
    const keysOfList: readonly string[] = keysOf(list);
    const test = keys.map((key) => `grouping(s.${key}) = ${keysOfList.includes(key) ? 0 : 1}`).join(' AND ');
    return `${test}, ${index}`;
  });
  return `multiIf(${tests.join(', ')}, ${lists.length - 1}) AS list`;
}

function keyColumn(key: DimensionName | 'time'): string {
  if (key === 'time') return 'toUnixTimestamp(s.time) * 1000 AS time';
  if (key === 'client_ip') return `${clientIpText('s.client_ip')} AS client_ip`;
  if (key === 'network') return `${networkText('s.network')} AS network`;
  return `s.${key} AS ${key}`;
}

/** @param beside the rows have columns for both windows. */
function figures(
  { metrics: names, previous = [], latest = [], distinct = [] }: Selection,
  resolved: ResolvedMetrics,
  beside: boolean,
): string[] {
  const current = beside ? 's.is_current' : undefined;
  const earlier = (metric: MetricName) =>
    `${foldedSql(metric, resolved.get(metric)!, 'NOT s.is_current')} AS previous_${metric}`;
  return [
    ...names.map((metric) => `${foldedSql(metric, resolved.get(metric)!, current)} AS ${metric}`),
    ...(beside ? previous.map(earlier) : []),
    ...latest.map(
      (name) => `${latestOf(`toString(s.${name})`, `toString(s.${name})`, current)} AS latest_${name}`,
    ),
    ...distinct.map((name) => `${distinctValues(name, current)} AS distinct_${name}`),
    ...(beside ? distinct : []).map(
      (name) => `${distinctValues(name, 'NOT s.is_current')} AS previous_distinct_${name}`,
    ),
  ];
}

/** An empty path does not count. @param among SQL of a condition */
function distinctValues(name: DimensionName, among: string | undefined): string {
  const tests = [...(among === undefined ? [] : [among]), ...(name === 'path' ? [`s.path != ''`] : [])];
  return tests.length === 0 ? `uniqExact(s.${name})` : `uniqExactIf(s.${name}, ${tests.join(' AND ')})`;
}

function groupBy(lists: readonly ListOf[], apart: boolean): string {
  const setOf = (list: ListOf) =>
    [...(apart ? ['is_current'] : []), ...keysOf(list)].map((key) => `s.${key}`).join(', ');
  if (lists.length > 1)
    return `GROUP BY GROUPING SETS (${lists.map((list) => `(${setOf(list)})`).join(', ')})\n`;
  const set = setOf(lists[0]!);
  return set === '' ? '' : `GROUP BY ${set}\n`;
}

/** Excludes rows with zero counts and sorts the others. */
function ranking({ lists, metrics: [first] }: Selection, keys: readonly (DimensionName | 'time')[]): string {
  const all = Object.values(lists);
  const total = all.findIndex(isTotal);
  const past = all.some(({ withPast }) => withPast) ? [`previous_${first} > 0`] : [];
  const kept = [`${first} > 0`, ...past, ...(total < 0 ? [] : [`list = ${total}`])];
  const byTime = keys.includes('time') ? ['s.time'] : [];
  const byName = keys.filter((key) => key !== 'time').map((key) => `s.${key}`);
  return `HAVING ${kept.join(' OR ')}\nORDER BY ${['list', ...byTime, `${first} DESC`, ...byName].join(', ')}`;
}

/** The greatest limit of the lists, applied to each list. */
function limitOf(
  lists: readonly ListOf[],
  params: Record<string, QueryParameter>,
  limitPer: DimensionName | undefined,
): string {
  const limits = lists.filter((list) => !isTotal(list)).map(({ limit }) => limit);
  if (limits.length === 0 || limits.includes(undefined)) return '';
  params.list_limit = Math.max(...(limits as number[]));
  if (limitPer !== undefined) return `\nLIMIT {list_limit: UInt32} BY s.${limitPer}`;
  const [{ offset = 0 }] = lists as [ListOf];
  if (offset > 0) {
    params.list_offset = offset;
    return '\nLIMIT {list_limit: UInt32} OFFSET {list_offset: UInt32}';
  }
  return lists.length === 1 ? '\nLIMIT {list_limit: UInt32}' : '\nLIMIT {list_limit: UInt32} BY list';
}

const keyTypes = (keys: readonly (DimensionName | 'time')[]) =>
  Object.fromEntries(keys.map((key) => [key, key === 'time' ? z.number() : dimensions[key].type]));

function rowSchema(
  { metrics: names, previous = [], latest = [], distinct = [] }: Selection,
  keys: readonly (DimensionName | 'time')[],
  apart: boolean,
): z.ZodType<Row> {
  return z.object({
    list: z.number(),
    ...(apart ? { is_current: z.number() } : {}),
    ...keyTypes(keys),
    ...Object.fromEntries(latest.map((name) => [`latest_${name}`, z.string()])),
    ...Object.fromEntries(names.map((metric) => [metric, metrics[metric].type])),
    ...Object.fromEntries(distinct.map((name) => [`distinct_${name}`, z.number()])),
    ...(apart
      ? {}
      : Object.fromEntries([
          ...previous.map((metric) => [`previous_${metric}`, metrics[metric].type]),
          ...(previous.length === 0 ? [] : distinct).map((name) => [`previous_distinct_${name}`, z.number()]),
        ])),
  });
}
