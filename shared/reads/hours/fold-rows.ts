import { DAY_MS, HOUR_MS } from '../../durations.js';
import { groupBy } from '../../group-by.js';
import { once } from '../../once.js';
import { type GiveTurn, inTurns } from '../../pacing/turns.js';
import { hasSeparateWindows, type Row } from '../sql/compose-select.js';
import type { DimensionName } from '../sql/dimensions.js';
import { compare, inOrder } from '../sql/fold-lists.js';
import { metrics } from '../sql/metrics.js';
import { isTotal, type ListOf } from '../sql/selection.js';
import { type Columns, createColumns } from './columns.js';
import {
  addDistinct,
  addFigure,
  addLatest,
  createDistinct,
  createLatest,
  createSums,
  type FoldedSlice,
  latestValue,
  type Sums,
} from './figures.js';
import { createGroups, type Groups, rowsInRange } from './groups.js';
import { isLatest } from './kept-rollups.js';
import type { Figure, Question } from './question.js';
import { compareInEngine, greatestIn, greatestOf } from './ranking.js';
import type { RowBlock } from './row-block.js';
import { isMergedHere } from './state-columns.js';
import { createStateGroups } from './state-groups.js';

/**
 * Folds the lists of a question from kept rows, with the results of fold-lists.ts and of the engine's statement. Rows are grouped by the
 * codes of their values, and a figure is added to its group row by row. A list with a limit is ranked first, so that most figures are
 * added for its rows only.
 */

/** The buckets of a block from `from` up to `to`, without `to`. */
export interface Slice {
  readonly block: RowBlock;
  readonly from: number;
  readonly to: number;
}

/** Most rows of a list: a log may have any number of names, and the engine cuts its lists. */
const MOST_GROUPS = 20_000;

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

/** The engine sorts the lists that it makes and that are not paired here. */
function orderOf({ selection }: Question): typeof compareInEngine {
  const isSortedHere = selection.foldedHere || hasSeparateWindows(selection);
  return isSortedHere ? (_dimension, one, other) => compare(one, other) : compareInEngine;
}

/** Fewer rows, if the slice is a complete day. */
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
  const time = placesOf(question, list);
  const keys = list.by.map((name) => columns.shared(name));
  const groups = createGroups(
    time.places,
    keys.map(({ values }) => values.length),
  );
  if (groups === null) return null;
  const isRanked =
    list.limit !== undefined &&
    list.overTime !== true &&
    !isTotal(list) &&
    !isMergedHere(question.figures[0]!.stored);
  if (question.selection.limitPer !== undefined && !isRanked) return null;
  const grouped: FoldedSlice[] = [];
  for (const slice of slices) {
    grouped.push(groupSlice(slice, groups, columns, list, time));
    if (!isRanked && groups.count() > MOST_GROUPS) return null;
    await giveTurn();
  }
  const nameOf = (group: number, index: number) => keys[index]!.values[groups.codeOf(group, index)];
  const ranked = { groups, grouped, columns, nameOf };
  const listed = isRanked ? await rankGroups(question, list, ranked, giveTurn) : null;
  if (listed !== null && listed.length > MOST_GROUPS) return null;
  const parts = listed === null ? grouped : onlyListed(grouped, listed, groups.count());
  const count = listed?.length ?? groups.count();
  const cells = cellsOf(question, columns, count);
  for (const part of parts) {
    for (const { add } of cells) add(part);
    await giveTurn();
  }
  const rows: Row[] = [];
  for (let place = 0; place < count; place++) {
    const group = listed?.[place] ?? place;
    const row: Record<string, unknown> = list.overTime ? { time: time.startOf(groups.placeOf(group)) } : {};
    for (const [index, name] of list.by.entries()) row[name] = nameOf(group, index);
    for (const { name, of } of cells) row[name] = of(place);
    rows.push(row);
    // Merging the states of a row may take 0.1 ms.
    if (place % ROWS_OF_TURN === 0) await giveTurn();
  }
  return rows;
}

function groupSlice(
  { block, from, to }: Slice,
  groups: Groups,
  columns: Columns,
  { by, overTime = false }: ListOf,
  time: ReturnType<typeof placesOf>,
): FoldedSlice {
  const passing = columns.passing(block);
  const codes = by.map((name) => columns.shared(name).codesIn(block));
  const { starts, start, unit } = block;
  const rows = rowsInRange(passing, starts[from]!, starts[to]!);
  const groupOf = new Uint32Array(rows.length);
  const step = overTime ? 1 : to - from;
  let at = 0;
  for (let bucket = from; bucket < to; bucket += step) {
    const ofBucket = overTime ? rowsInRange(passing, starts[bucket]!, starts[bucket + 1]!) : rows;
    const place = time.placeOf(start + bucket * unit);
    groups.number(place, codes, ofBucket, groupOf.subarray(at, at + ofBucket.length));
    at += ofBucket.length;
  }
  // A slice is completely in one of the windows.
  return { block, isCurrent: time.isCurrent(start + from * unit), rows, groups: groupOf };
}

interface Ranked {
  readonly groups: Groups;
  readonly grouped: readonly FoldedSlice[];
  readonly columns: Columns;
  nameOf(group: number, index: number): unknown;
}

/** The groups that the list shows, by the first metric; the others have no row. */
async function rankGroups(
  question: Question,
  list: ListOf,
  { groups, grouped, columns, nameOf }: Ranked,
  giveTurn: GiveTurn,
): Promise<number[]> {
  const { figures, selection } = question;
  const count = groups.count();
  const sumOf = async (name: string) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) return null;
    const sums = createSums(metrics[figure.stored].fold.kind, count);
    for (const part of grouped) {
      addFigure(figure, part, columns.tests(part.block, figure), sums);
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
  const compareNames = orderOf(question);
  const names = (one: number, other: number) => {
    let order = 0;
    for (let index = 0; order === 0 && index < list.by.length; index++)
      order = compareNames(list.by[index]!, nameOf(one, index), nameOf(other, index));
    return order;
  };
  const { limitPer } = selection;
  if (limitPer === undefined) return inTurns(greatestOf(values, list.limit!, names), giveTurn);
  const key = list.by.indexOf(limitPer);
  const parts = groupBy(values.keys(), (group) => groups.codeOf(group, key));
  const listed: number[] = [];
  for (const [, part] of parts)
    listed.push(...(await inTurns(greatestIn(part, values, list.limit!, names), giveTurn)));
  return listed;
}

/** The rows of the listed groups, which get new numbers. */
function onlyListed(
  grouped: readonly FoldedSlice[],
  listed: readonly number[],
  count: number,
): FoldedSlice[] {
  // 0: not listed.
  const placeIn = new Uint32Array(count);
  for (const [index, group] of listed.entries()) placeIn[group] = index + 1;
  return grouped.map(({ block, isCurrent, rows, groups }) => {
    let kept = 0;
    for (let index = 0; index < rows.length; index++) if (placeIn[groups[index]!] !== 0) kept += 1;
    const part = { block, isCurrent, rows: new Uint32Array(kept), groups: new Uint32Array(kept) };
    for (let index = 0, at = 0; at < kept; index++) {
      const place = placeIn[groups[index]!]!;
      if (place === 0) continue;
      part.rows[at] = rows[index]!;
      part.groups[at++] = place - 1;
    }
    return part;
  });
}

/** A value of each row of a list. */
interface Cell {
  readonly name: Figure['name'] | `${'latest' | 'distinct' | 'previous_distinct'}_${DimensionName}`;
  add(part: FoldedSlice): void;
  of(group: number): unknown;
}

function cellsOf(question: Question, columns: Columns, count: number): Cell[] {
  const { figures, selection } = question;
  const { previous = [], latest = [], distinct = [] } = selection;
  const order = selection.foldedHere
    ? compare
    : (one: unknown, other: unknown) => compareInEngine('path', one, other);
  return [
    ...figures.map((figure): Cell => {
      const { name, metric, stored, previous } = figure;
      const { none } = metrics[metric];
      if (isLatest(stored)) {
        const last = createLatest(count, compare);
        const add = (part: FoldedSlice) => {
          const [value, tie] = [columns.own(part.block, stored), columns.own(part.block, 'asn')];
          if (part.isCurrent !== previous) addLatest(part, value, tie, last);
        };
        return { name, add, of: (group) => latestValue(last, group) ?? none };
      }
      if (isMergedHere(stored)) {
        const merged = createStateGroups(stored);
        const add = (part: FoldedSlice) => {
          if (part.isCurrent !== previous) merged.add(part, columns.tests(part.block, figure));
        };
        return { name, add, of: (group) => merged.of(group) ?? none };
      }
      const sums: Sums = createSums(metrics[stored].fold.kind, count);
      const add = (part: FoldedSlice) => addFigure(figure, part, columns.tests(part.block, figure), sums);
      return { name, add, of: (group) => sums.of(group) ?? none };
    }),
    ...latest.map((dimension): Cell => {
      const last = createLatest(count, order);
      const add = (part: FoldedSlice) => {
        const column = columns.own(part.block, dimension);
        if (part.isCurrent) addLatest(part, column, column, last);
      };
      return { name: `latest_${dimension}`, add, of: (group) => String(latestValue(last, group) ?? '') };
    }),
    ...distinct.map((name) => distinctCell(columns, name, false, count)),
    ...(previous.length === 0 ? [] : distinct).map((name) => distinctCell(columns, name, true, count)),
  ];
}

function distinctCell(columns: Columns, dimension: DimensionName, ofPrevious: boolean, count: number): Cell {
  const column = columns.shared(dimension);
  const found = createDistinct(count, column.values.length);
  return {
    name: `${ofPrevious ? 'previous_distinct' : 'distinct'}_${dimension}`,
    add(part) {
      if (part.isCurrent !== ofPrevious) addDistinct(part, column, dimension === 'path', found);
    },
    of: (group) => found.counts[group]!,
  };
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
