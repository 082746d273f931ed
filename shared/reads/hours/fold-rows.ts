import { DAY_MS, HOUR_MS } from '../../durations.js';
import { groupBy } from '../../group-by.js';
import { once } from '../../once.js';
import { type GiveTurn, inTurns } from '../../pacing/turns.js';
import { hasSeparateWindows, type Row } from '../sql/compose-select.js';
import { compare, inOrder } from '../sql/fold-lists.js';
import { metrics } from '../sql/metrics.js';
import { isTotal, type ListOf } from '../sql/selection.js';
import { cellsOf } from './cells.js';
import { type Columns, createColumns } from './columns.js';
import { addFigure, createSums, type GroupedSlice } from './figures.js';
import { createGroups, type Groups, rowsInRange } from './groups.js';
import type { Question } from './question.js';
import { compareInEngine, greatestIn, greatestOf } from './ranking.js';
import type { RowBlock } from './row-block.js';
import { isMergedHere } from './state-columns.js';

/**
 * Folds the lists of a question from kept rows, with the results of fold-lists.ts and of the engine's statement. Rows are grouped by the
 * codes of their values, and a figure is added to its group row by row. A list with a limit is ranked first, so that most figures are
 * added for its rows only.
 */

/** Numbers of the buckets of a block, from `from` up to `to`, without `to`. */
export interface Slice {
  readonly block: RowBlock;
  readonly from: number;
  readonly to: number;
}

/** Most rows of a list: a log may have any number of names, and the engine cuts its lists. */
const MOST_GROUPS = 20_000;

/** Rows of a list that are made without a break. Merging the states of a row may take 0.1 ms. */
const ROWS_OF_TURN = 64;

/** null: a list has too many rows. */
export async function foldRows(
  question: Question,
  slices: readonly Slice[],
  giveTurn: GiveTurn,
): Promise<Row[][] | null> {
  const byHour = once(() => ({ slices, columns: columnsOf(question, slices) }));
  const byDay = once(() => {
    const whole = slices.map(wholeDay);
    return { slices: whole, columns: columnsOf(question, whole) };
  });
  const { lists, time = 'hour', metrics: names } = question.selection;
  const folded: Row[][] = [];
  for (const list of Object.values(lists)) {
    const source = list.overTime && time === 'hour' ? byHour() : byDay();
    const rows = await foldList(question, list, source.slices, source.columns, giveTurn);
    if (rows === null) return null;
    folded.push(shown(question, list, rows).sort(inOrder(list, names[0]!, orderOf(question))));
  }
  return folded;
}

const columnsOf = (question: Question, slices: readonly Slice[]) =>
  createColumns(question, [...new Set(slices.map(({ block }) => block))]);

/** The order of names. The engine sorts its own lists, except those whose windows this process pairs. */
function orderOf({ selection }: Question): typeof compareInEngine {
  const isSortedHere = selection.foldedHere || hasSeparateWindows(selection);
  return isSortedHere ? (_dimension, one, other) => compare(one, other) : compareInEngine;
}

/** The slice with the hours of a complete day as one bucket, if its block has these rows. */
function wholeDay({ block, from, to }: Slice): Slice {
  const isWhole = from === 0 && to === block.starts.length - 1;
  return isWhole && block.whole !== undefined ? { block: block.whole, from: 0, to: 1 } : { block, from, to };
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
  const axis = timeAxisOf(question, list);
  const keys = list.by.map((name) => columns.shared(name));
  const groups = createGroups(
    axis.length,
    keys.map(({ values }) => values.length),
  );
  if (groups === null) return null;
  const isRanked =
    list.limit !== undefined &&
    list.overTime !== true &&
    !isTotal(list) &&
    !isMergedHere(question.figures[0]!.stored);
  if (question.selection.limitPer !== undefined && !isRanked) return null;
  const grouped: GroupedSlice[] = [];
  for (const slice of slices) {
    grouped.push(groupSlice(slice, groups, columns, list, axis));
    if (!isRanked && groups.count() > MOST_GROUPS) return null;
    await giveTurn();
  }
  const nameOf = (group: number, key: number) => keys[key]!.values[groups.codeOf(group, key)];
  const listed = isRanked
    ? await rankGroups(question, list, { groups, grouped, columns, nameOf }, giveTurn)
    : null;
  if (listed !== null && listed.length > MOST_GROUPS) return null;
  const counted = listed === null ? grouped : onlyListed(grouped, listed, groups.count());
  const count = listed?.length ?? groups.count();
  const cells = cellsOf(question, columns, count);
  for (const slice of counted) {
    for (const { add } of cells) add(slice);
    await giveTurn();
  }
  const rows: Row[] = [];
  for (let index = 0; index < count; index++) {
    const group = listed?.[index] ?? index;
    const row: Record<string, unknown> = list.overTime ? { time: axis.startOf(groups.timeOf(group)) } : {};
    for (const [key, name] of list.by.entries()) row[name] = nameOf(group, key);
    for (const { name, of } of cells) row[name] = of(index);
    rows.push(row);
    if (index % ROWS_OF_TURN === 0) await giveTurn();
  }
  return rows;
}

function groupSlice(
  { block, from, to }: Slice,
  groups: Groups,
  columns: Columns,
  { by, overTime = false }: ListOf,
  axis: ReturnType<typeof timeAxisOf>,
): GroupedSlice {
  const passing = columns.passing(block);
  const codes = by.map((name) => columns.shared(name).codesIn(block));
  const { starts, start, unit } = block;
  const rows = rowsInRange(passing, starts[from]!, starts[to]!);
  const groupOf = new Uint32Array(rows.length);
  const step = overTime ? 1 : to - from;
  let at = 0;
  for (let bucket = from; bucket < to; bucket += step) {
    const ofBucket = overTime ? rowsInRange(passing, starts[bucket]!, starts[bucket + 1]!) : rows;
    const time = axis.indexOf(start + bucket * unit);
    groups.number(time, codes, ofBucket, groupOf.subarray(at, at + ofBucket.length));
    at += ofBucket.length;
  }
  // A slice is completely in one of the windows.
  return { block, isCurrent: axis.isCurrent(start + from * unit), rows, groups: groupOf };
}

/** The grouped rows of a list. */
interface Grouping {
  readonly groups: Groups;
  readonly grouped: readonly GroupedSlice[];
  readonly columns: Columns;
  /** The value of a group's key. @param key its index */
  nameOf(group: number, key: number): unknown;
}

/** The groups that the list shows, sorted by the first metric. The limit counts for each value of `limitPer`. */
async function rankGroups(
  question: Question,
  list: ListOf,
  { groups, grouped, columns, nameOf }: Grouping,
  giveTurn: GiveTurn,
): Promise<number[]> {
  const { figures, selection } = question;
  const count = groups.count();
  const sumOf = async (name: string) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) return null;
    const sums = createSums(metrics[figure.stored].fold.kind, count);
    for (const slice of grouped) {
      addFigure(figure, slice, columns.tests(slice.block, figure), sums);
      await giveTurn();
    }
    return sums;
  };
  const [name] = selection.metrics as [string];
  const first = (await sumOf(name))!;
  const past = list.withPast ? await sumOf(`previous_${name}`) : null;
  const values = new Float64Array(count);
  for (let group = 0; group < count; group++) {
    const value = first.of(group) ?? 0;
    const isPast = list.withPast && (selection.foldedHere || (past?.of(group) ?? 0) > 0);
    values[group] = value > 0 || isPast ? value : Number.NaN;
  }
  const order = orderOf(question);
  const compareNames = (one: number, other: number) => {
    let result = 0;
    for (let key = 0; result === 0 && key < list.by.length; key++)
      result = order(list.by[key]!, nameOf(one, key), nameOf(other, key));
    return result;
  };
  const { limitPer } = selection;
  if (limitPer === undefined) return inTurns(greatestOf(values, list.limit!, compareNames), giveTurn);
  const key = list.by.indexOf(limitPer);
  const groupsOfValue = groupBy(values.keys(), (group) => groups.codeOf(group, key));
  const listed: number[] = [];
  for (const [, some] of groupsOfValue)
    listed.push(...(await inTurns(greatestIn(some, values, list.limit!, compareNames), giveTurn)));
  return listed;
}

/** Only the rows of the listed groups. A group gets its index in the list as its number. */
function onlyListed(
  grouped: readonly GroupedSlice[],
  listed: readonly number[],
  count: number,
): GroupedSlice[] {
  // 0: not listed.
  const rankOf = new Uint32Array(count);
  for (const [index, group] of listed.entries()) rankOf[group] = index + 1;
  return grouped.map(({ block, isCurrent, rows, groups }) => {
    let kept = 0;
    for (let index = 0; index < rows.length; index++) if (rankOf[groups[index]!] !== 0) kept += 1;
    const slice = { block, isCurrent, rows: new Uint32Array(kept), groups: new Uint32Array(kept) };
    for (let index = 0, at = 0; at < kept; index++) {
      const rank = rankOf[groups[index]!]!;
      if (rank === 0) continue;
      slice.rows[at] = rows[index]!;
      slice.groups[at++] = rank - 1;
    }
    return slice;
  });
}

/** The hours or days of a list over time, from the start of the window. The previous window has the index 0. */
function timeAxisOf({ selection, scope: { window }, compared }: Question, { overTime = false }: ListOf) {
  const step = selection.time === 'day' ? DAY_MS : HOUR_MS;
  const first = Math.floor(window.start / step);
  const isCurrent = (at: number) => !compared || at >= window.start;
  return {
    length: overTime ? 2 + Math.ceil(window.end / step) - first : 1,
    isCurrent,
    indexOf: (at: number) => (overTime && isCurrent(at) ? 1 + Math.floor(at / step) - first : 0),
    startOf: (index: number) => (index === 0 ? 0 : (first + index - 1) * step),
  };
}
