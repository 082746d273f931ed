import { finestColumn, isTestedHere, type ResolvedMetrics, type Row } from './compose-select.js';
import { conditionHolds } from './condition.js';
import type { DimensionName } from './dimensions.js';
import { type MetricName, metrics, type Resolved } from './metrics.js';
import { keysOf, type ListOf, readsPrevious, type Selection } from './selection.js';

/** Folds the lists of a selection from the rows of its finest grouping (compose-select.ts). Pure. */

/** Each list in the order that `select` documents. */
export function foldLists(selection: Selection, resolved: ResolvedMetrics, rows: readonly Row[]): Row[][] {
  return Object.values(selection.lists).map((list) => {
    const groups = [...groupRows(list, rows).values()];
    const folded = groups.map((group) => foldGroup(selection, resolved, list, group));
    return folded.sort(inOrder(list, selection.metrics[0]!));
  });
}

/** Joins the windows of each key into one row, with the past under `previous_<name>`; sorted. */
export function pairWindows(selection: Selection, list: ListOf, rows: readonly Row[]): Row[] {
  const { previous = [], distinct = [] } = selection;
  const nothing = emptyValues(selection);
  const pairs = [...groupRows(list, rows).values()].map((pair) => {
    const current = pair.find(isCurrent);
    const past = pair.find((row) => !isCurrent(row));
    const row: Record<string, unknown> = { ...past, ...nothing, ...current };
    if (past === undefined) return row;
    for (const name of previous) row[`previous_${name}`] = past[name];
    for (const name of distinct) row[`previous_distinct_${name}`] = past[`distinct_${name}`];
    return row;
  });
  return pairs.sort(inOrder(list, selection.metrics[0]!));
}

/** The figures of a row without requests in its windows. */
export function emptyValues({ metrics: names, previous = [], latest = [], distinct = [] }: Selection): Row {
  return {
    ...Object.fromEntries(latest.map((name) => [`latest_${name}`, ''])),
    ...Object.fromEntries(names.map((metric) => [metric, metrics[metric].none])),
    ...Object.fromEntries(previous.map((metric) => [`previous_${metric}`, metrics[metric].none])),
    ...Object.fromEntries(distinct.map((name) => [`distinct_${name}`, 0])),
    ...Object.fromEntries(
      (previous.length === 0 ? [] : distinct).map((name) => [`previous_distinct_${name}`, 0]),
    ),
  };
}

const isCurrent = (row: Row) => row.is_current === 1;

function groupRows(list: ListOf, rows: readonly Row[]): Map<string, Row[]> {
  const keys = keysOf(list);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    let name = '';
    for (const key of keys) name += keyText(row[key]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}

/** Texts have their length in front, because a path can contain any separator. */
function keyText(value: unknown): string {
  return typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`;
}

function foldGroup(
  selection: Selection,
  resolved: ResolvedMetrics,
  list: ListOf,
  group: readonly Row[],
): Row {
  const { metrics: names, previous = [], latest = [], distinct = [] } = selection;
  const compared = readsPrevious(selection);
  const current = compared ? group.filter(isCurrent) : group;
  const past = compared ? group.filter((row) => !isCurrent(row)) : [];
  const figureOf = (metric: MetricName, rows: readonly Row[]) =>
    foldMetric(metric, resolved.get(metric)!, rows);
  return {
    ...Object.fromEntries(keysOf(list).map((key) => [key, group[0]![key]])),
    ...Object.fromEntries(names.map((metric) => [metric, figureOf(metric, current)])),
    ...Object.fromEntries(previous.map((metric) => [`previous_${metric}`, figureOf(metric, past)])),
    ...Object.fromEntries(latest.map((name) => [`latest_${name}`, latestValue(name, name, current) ?? ''])),
    ...Object.fromEntries(distinct.map((name) => [`distinct_${name}`, valuesOf(name, current).size])),
    ...Object.fromEntries(
      (compared ? distinct : []).map((name) => [`previous_distinct_${name}`, valuesOf(name, past).size]),
    ),
  };
}

/** An empty path does not count (selection.ts). */
function valuesOf(name: DimensionName, rows: readonly Row[]): Set<unknown> {
  const values = new Set(rows.map((row) => row[name]));
  if (name === 'path') values.delete('');
  return values;
}

function foldMetric(metric: MetricName, way: Resolved, rows: readonly Row[]): unknown {
  const { fold, none } = metrics[way.stored];
  const { name } = finestColumn(metric, way);
  const conditions = way.conditions.filter(({ on }) => isTestedHere(on));
  const counted = rows.filter((row) => conditions.every(({ on, passes }) => conditionHolds(row[on], passes)));
  if (counted.length === 0) return none;
  if (fold.kind === 'latest') return latestValue(name, 'asn', counted);
  if (fold.kind === 'state') throw new Error(`${metric} cannot be computed from several rows`);
  const values = counted.map((row) => Number(row[name]));
  if (fold.kind === 'sum') return values.reduce((sum, value) => sum + value, 0);
  return values.reduce((one, other) => (fold.kind === 'min' ? Math.min(one, other) : Math.max(one, other)));
}

type Column = DimensionName | MetricName;

/** The column's value in the row seen last; of several at the same instant the one with the greatest `tieBreaker`. */
function latestValue(column: Column, tieBreaker: Column, rows: readonly Row[]): unknown {
  let latest: Row | undefined;
  for (const row of rows) {
    const later = latest === undefined ? 1 : compare(row.last_seen, latest.last_seen);
    if (later > 0 || (later === 0 && compare(row[tieBreaker], latest?.[tieBreaker]) > 0)) latest = row;
  }
  return latest?.[column];
}

/** The order that `select` documents. @param compareNames of two values of a dimension */
export function inOrder(
  list: ListOf,
  first: MetricName,
  compareNames: (dimension: DimensionName, one: unknown, other: unknown) => number = (_, one, other) =>
    compare(one, other),
): (one: Row, other: Row) => number {
  return (one, other) => {
    if (list.overTime && one.time !== other.time) return compare(one.time, other.time);
    if (one[first] !== other[first]) return compare(other[first], one[first]);
    return list.by.reduce((order, key) => (order !== 0 ? order : compareNames(key, one[key], other[key])), 0);
  };
}

/** Two texts by their UTF-16 units, or two numbers. */
export function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  return (one as string | number) < (other as string | number) ? -1 : 1;
}
