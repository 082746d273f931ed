import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { GiveTurn } from '../../pacing/turns.js';
import { hasSeparateWindows, type Row } from '../sql/compose-select.js';
import { conditionHolds } from '../sql/condition.js';
import { compare, inOrder } from '../sql/fold-lists.js';
import { metrics } from '../sql/metrics.js';
import { isTotal, type ListOf } from '../sql/selection.js';
import { type Columns, createColumns, type SharedColumn } from './columns.js';
import { createGroups } from './groups.js';
import type { Figure, Question } from './question.js';
import type { RowBlock } from './row-block.js';

/**
 * Folds the lists of a question from kept rows, with the results of fold-lists.ts and of the engine's statement. Rows are grouped by the
 * codes of their values, and a figure is added to its group row by row.
 */

/** Buckets of a block, without `to`. */
export interface Slice {
  readonly block: RowBlock;
  readonly from: number;
  readonly to: number;
}

/** Most rows of a list: a log may have any number of names, and the engine cuts its lists. */
const MOST_GROUPS = 20_000;

/** null: a list has too many rows. */
export async function foldRows(
  question: Question,
  slices: readonly Slice[],
  giveTurn: GiveTurn,
): Promise<Row[][] | null> {
  const columns = createColumns(question, [...new Set(slices.map(({ block }) => block))]);
  const lists: Row[][] = [];
  for (const list of Object.values(question.selection.lists)) {
    const rows = await foldList(question, list, slices, columns, giveTurn);
    if (rows === null) return null;
    lists.push(
      rows.filter((row) => isShown(question, row, list)).sort(inOrder(list, question.selection.metrics[0]!)),
    );
  }
  return lists;
}

/** The HAVING of the engine's statement (compose-select.ts). */
function isShown({ selection }: Question, row: Row, list: ListOf): boolean {
  const { foldedHere = false, metrics: names, lists } = selection;
  if (foldedHere || hasSeparateWindows(selection) || isTotal(list)) return true;
  const first = names[0]!;
  const withPast = Object.values(lists).some((one) => one.withPast);
  return Number(row[first]) > 0 || (withPast && Number(row[`previous_${first}`]) > 0);
}

async function foldList(
  question: Question,
  list: ListOf,
  slices: readonly Slice[],
  columns: Columns,
  giveTurn: GiveTurn,
): Promise<Row[] | null> {
  const { figures, selection } = question;
  const { latest = [], distinct = [] } = selection;
  const time = placesOf(question, list);
  const keys = list.by.map((name) => columns.shared(name));
  const groups = createGroups(
    time.places,
    keys.map(({ values }) => values.length),
  );
  if (groups === null) return null;
  const sums = figures.map((): number[] => []);
  const last = latest.map((): Latest => ({ seen: [], value: [] }));
  const found = distinct.map((): Set<number>[] => []);
  for (const slice of slices) {
    const { block, from, to } = slice;
    const start = block.starts[from]!;
    const rows: GroupedRows = {
      block,
      ranges: [],
      groupOf: new Int32Array(block.starts[to]! - start),
      start,
    };
    const passing = columns.passing(block);
    const codes = keys.map((key) => key.codesIn(block));
    for (let bucket = from; bucket < to; bucket++) {
      const at = block.start + bucket * block.unit;
      const range = {
        from: block.starts[bucket]!,
        to: block.starts[bucket + 1]!,
        current: time.isCurrent(at),
      };
      rows.ranges.push(range);
      const place = time.placeOf(at);
      for (let row = range.from; row < range.to; row++)
        rows.groupOf[row - start] =
          passing !== null && passing[row] === 0 ? -1 : groups.of(place, codes, row);
    }
    if (groups.count() > MOST_GROUPS) return null;
    for (const [index, figure] of figures.entries()) addFigure(figure, rows, columns, sums[index]!);
    for (const [index, name] of latest.entries()) addLatest(rows, columns.own(block, name), last[index]!);
    for (const [index, name] of distinct.entries()) addDistinct(rows, columns.shared(name), found[index]!);
    await giveTurn();
  }
  return groups.all().map(({ place, codes }, group) => ({
    ...(list.overTime ? { time: time.startOf(place) } : {}),
    ...Object.fromEntries(list.by.map((name, index) => [name, keys[index]!.values[codes[index]!]])),
    ...Object.fromEntries(
      figures.map(({ name, metric }, index) => [name, sums[index]![group] ?? metrics[metric].none]),
    ),
    ...Object.fromEntries(latest.map((name, index) => [`latest_${name}`, last[index]!.value[group] ?? ''])),
    ...Object.fromEntries(
      distinct.map((name, index) => [`distinct_${name}`, found[index]![group]?.size ?? 0]),
    ),
  }));
}

/** Places of instants in a list over time, from the start of the window. The previous window is one bucket, 0. */
function placesOf({ selection, scope: { window }, compared }: Question, { overTime = false }: ListOf) {
  const step = selection.time === 'day' ? DAY_MS : HOUR_MS;
  const first = Math.floor(window.start / step);
  const isCurrent = (at: number) => !compared || at >= window.start;
  return {
    places: overTime ? 2 + Math.ceil(window.end / step) - first : 1,
    isCurrent,
    placeOf: (at: number) => (overTime && isCurrent(at) ? 1 + Math.floor(at / step) - first : 0),
    startOf: (place: number) => (place === 0 ? 0 : (first + place - 1) * step),
  };
}

/** Rows of a slice with their groups. */
interface GroupedRows {
  readonly block: RowBlock;
  /** By bucket. */
  readonly ranges: { readonly from: number; readonly to: number; readonly current: boolean }[];
  /** The group of each row from `start` on; -1: filtered out. */
  readonly groupOf: Int32Array;
  readonly start: number;
}

function addFigure(
  { stored, conditions, previous }: Figure,
  { block, ranges, groupOf, start }: GroupedRows,
  columns: Columns,
  sums: number[],
): void {
  const { kind } = metrics[stored].fold;
  const numbers = block.figures.get(stored)!;
  const tests = conditions.map(({ on, passes }) =>
    columns.tested(block, on, (value) => conditionHolds(value, passes)),
  );
  for (const { from, to, current } of ranges) {
    if (current === previous) continue;
    rows: for (let row = from; row < to; row++) {
      const group = groupOf[row - start]!;
      if (group < 0) continue;
      for (const { codes, holds } of tests) if (holds[codes[row]!] === 0) continue rows;
      const number = numbers[row]!;
      const sum = sums[group];
      if (sum === undefined) sums[group] = number;
      else if (kind === 'sum') sums[group] = sum + number;
      else if (kind === 'min' ? number < sum : number > sum) sums[group] = number;
    }
  }
}

interface Latest {
  readonly seen: number[];
  readonly value: string[];
}

/** The value in the row seen last; the greatest of several at the same time. */
function addLatest(
  { block, ranges, groupOf, start }: GroupedRows,
  { codes, values }: { readonly codes: ArrayLike<number>; readonly values: readonly unknown[] },
  { seen, value: last }: Latest,
): void {
  const seenAt = block.figures.get('last_seen')!;
  for (const { from, to, current } of ranges) {
    if (!current) continue;
    for (let row = from; row < to; row++) {
      const group = groupOf[row - start]!;
      if (group < 0) continue;
      const value = String(values[codes[row]!]);
      if (seen[group] !== undefined && compareLatest(seenAt[row]!, value, seen[group], last[group]!) <= 0)
        continue;
      seen[group] = seenAt[row]!;
      last[group] = value;
    }
  }
}

const compareLatest = (seen: number, value: string, otherSeen: number, other: string) =>
  compare(seen, otherSeen) || compare(value, other);

function addDistinct(
  { block, ranges, groupOf, start }: GroupedRows,
  column: SharedColumn,
  found: Set<number>[],
): void {
  const { codes, map } = column.codesIn(block);
  for (const { from, to, current } of ranges) {
    if (!current) continue;
    for (let row = from; row < to; row++) {
      const group = groupOf[row - start]!;
      if (group < 0) continue;
      found[group] ??= new Set();
      found[group].add(map[codes[row]!]!);
    }
  }
}
