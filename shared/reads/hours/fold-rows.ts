import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { GiveTurn } from '../../pacing/turns.js';
import { hasSeparateWindows, type Row } from '../sql/compose-select.js';
import { compare, inOrder } from '../sql/fold-lists.js';
import { metrics } from '../sql/metrics.js';
import { isTotal, type ListOf } from '../sql/selection.js';
import { type Columns, createColumns, type SharedColumn } from './columns.js';
import { createGroups } from './groups.js';
import type { Figure, Question } from './question.js';
import { addNumber, type RowBlock } from './row-block.js';

/**
 * Folds the lists of a question from kept rows, with the results of fold-lists.ts and of the engine's statement. Rows are grouped by the
 * codes of their values, and a figure is added to its group row by row.
 */

/** The buckets of a block from `from` up to `to`, without `to`. */
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
  const byHour = lazily(() => ({ slices, columns: columnsOf(question, slices) }));
  const byDay = lazily(() => {
    const whole = slices.map(wholeDay);
    return { slices: whole, columns: columnsOf(question, whole) };
  });
  const { lists, time = 'hour', metrics: names } = question.selection;
  const folded: Row[][] = [];
  for (const list of Object.values(lists)) {
    const source = list.overTime && time === 'hour' ? byHour() : byDay();
    const rows = await foldList(question, list, source.slices, source.columns, giveTurn);
    if (rows === null) return null;
    folded.push(shown(question, list, rows).sort(inOrder(list, names[0]!)));
  }
  return folded;
}

const columnsOf = (question: Question, slices: readonly Slice[]) =>
  createColumns(question, [...new Set(slices.map(({ block }) => block))]);

/** Fewer rows, if the slice is a complete day. */
function wholeDay({ block, from, to }: Slice): Slice {
  const isWhole = from === 0 && to === block.starts.length - 1;
  return isWhole && block.whole !== undefined ? { block: block.whole, from: 0, to: 1 } : { block, from, to };
}

function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The rows that the engine's statement returns (HAVING in compose-select.ts). */
function shown({ selection }: Question, list: ListOf, rows: Row[]): Row[] {
  const { foldedHere = false, metrics: names, lists } = selection;
  if (foldedHere || hasSeparateWindows(selection) || isTotal(list)) return rows;
  const first = names[0]!;
  const withPast = Object.values(lists).some((one) => one.withPast);
  return rows.filter((row) => Number(row[first]) > 0 || (withPast && Number(row[`previous_${first}`]) > 0));
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
  const sizes = keys.map(({ values }) => values.length);
  const groups = createGroups(time.places, sizes);
  if (groups === null) return null;
  const sums = figures.map(({ stored }) => createSums(metrics[stored].fold.kind));
  const last = latest.map((): Latest => ({ seen: [], value: [] }));
  const found = distinct.map((): Set<number>[] => []);
  for (const { block, from, to } of slices) {
    const first = block.starts[from]!;
    const groupOf = new Int32Array(block.starts[to]! - first);
    const ranges: Range[] = [];
    const passing = columns.passing(block);
    const codes = keys.map((key) => key.codesIn(block));
    for (let bucket = from; bucket < to; bucket++) {
      const at = block.start + bucket * block.unit;
      const range = { from: block.starts[bucket]!, to: block.starts[bucket + 1]! };
      ranges.push({ ...range, current: time.isCurrent(at) });
      groups.number(time.placeOf(at), codes, { ...range, at: range.from - first, groupOf, passing });
    }
    if (groups.count() > MOST_GROUPS) return null;
    const rows: GroupedRows = { block, ranges, groupOf, first };
    for (const [index, figure] of figures.entries())
      addFigure(figure, rows, columns.counted(block, figure), sums[index]!.upTo(groups.count()));
    for (const [index, name] of latest.entries()) addLatest(rows, columns.own(block, name), last[index]!);
    for (const [index, name] of distinct.entries()) addDistinct(rows, columns.shared(name), found[index]!);
    await giveTurn();
  }
  return groups.all().map(({ place, codes }, group) => {
    const row: Record<string, unknown> = list.overTime ? { time: time.startOf(place) } : {};
    for (const [index, name] of list.by.entries()) row[name] = keys[index]!.values[codes[index]!];
    for (const [index, { name, metric }] of figures.entries())
      row[name] = sums[index]!.of(group) ?? metrics[metric].none;
    for (const [index, name] of latest.entries()) row[`latest_${name}`] = last[index]!.value[group] ?? '';
    for (const [index, name] of distinct.entries()) row[`distinct_${name}`] = found[index]![group]?.size ?? 0;
    return row;
  });
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

/** Rows of a bucket, and whether the current window has them. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly current: boolean;
}

/** Rows of a slice with their groups. */
interface GroupedRows {
  readonly block: RowBlock;
  readonly ranges: readonly Range[];
  /** The group of each row from `first` on; -1: filtered out. */
  readonly groupOf: Int32Array;
  readonly first: number;
}

/** A number for each group. */
function createSums(kind: string) {
  const none = kind === 'sum' ? 0 : Number.NaN;
  let numbers = new Float64Array(64).fill(none);
  return {
    /** With room for this number of groups. */
    upTo(groups: number): Float64Array {
      if (groups > numbers.length) {
        const larger = new Float64Array(2 * groups).fill(none, numbers.length);
        larger.set(numbers);
        numbers = larger;
      }
      return numbers;
    },
    /** null: the group has no row of the figure. */
    of: (group: number): number | null => (Number.isNaN(numbers[group]) ? null : numbers[group]!),
  };
}

function addFigure(
  { stored, previous }: Figure,
  { block, ranges, groupOf, first }: GroupedRows,
  counted: Uint8Array | null,
  sums: Float64Array,
): void {
  const { kind } = metrics[stored].fold;
  const numbers = block.figures.get(stored)!;
  for (const { from, to, current } of ranges) {
    if (current === previous) continue;
    for (let row = from; row < to; row++) {
      const group = groupOf[row - first]!;
      if (group < 0 || (counted !== null && counted[row] === 0)) continue;
      if (kind === 'sum') sums[group]! += numbers[row]!;
      else addNumber(kind, sums, group, numbers[row]!);
    }
  }
}

interface Latest {
  readonly seen: number[];
  readonly value: string[];
}

/** The value in the row seen last; the greatest of several at the same time. */
function addLatest(
  { block, ranges, groupOf, first }: GroupedRows,
  { codes, values }: { readonly codes: ArrayLike<number>; readonly values: readonly unknown[] },
  { seen, value: last }: Latest,
): void {
  const seenAt = block.figures.get('last_seen')!;
  for (const { from, to, current } of ranges) {
    if (!current) continue;
    for (let row = from; row < to; row++) {
      const group = groupOf[row - first]!;
      if (group < 0) continue;
      const at = seenAt[row]!;
      const known = seen[group];
      if (known !== undefined && at < known) continue;
      const value = String(values[codes[row]!]);
      if (known === at && compare(value, last[group]) <= 0) continue;
      seen[group] = at;
      last[group] = value;
    }
  }
}

function addDistinct(
  { block, ranges, groupOf, first }: GroupedRows,
  column: SharedColumn,
  found: Set<number>[],
): void {
  const { codes, map } = column.codesIn(block);
  for (const { from, to, current } of ranges) {
    if (!current) continue;
    for (let row = from; row < to; row++) {
      const group = groupOf[row - first]!;
      if (group < 0) continue;
      found[group] ??= new Set();
      found[group].add(map[codes[row]!]!);
    }
  }
}
