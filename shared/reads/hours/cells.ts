import type { DimensionName } from '../sql/dimensions.js';
import { compare } from '../sql/fold-lists.js';
import { metrics } from '../sql/metrics.js';
import type { Columns } from './columns.js';
import {
  addDistinct,
  addFigure,
  addLatest,
  createDistinct,
  createLatest,
  createSums,
  type GroupedSlice,
  latestValue,
} from './figures.js';
import { isLatest } from './kept-rollups.js';
import type { Figure, Question } from './question.js';
import { compareInEngine } from './ranking.js';
import { isMergedHere } from './state-columns.js';
import { createStateGroups } from './state-groups.js';

/** The values of a list's rows besides their keys. Each is folded on its own from the grouped rows. */

/** A value of each row of a list. */
interface Cell {
  readonly name: Figure['name'] | `${'latest' | 'distinct' | 'previous_distinct'}_${DimensionName}`;
  add(slice: GroupedSlice): void;
  /** The value of the row of this group. */
  of(group: number): unknown;
}

/** @param count number of the list's rows */
export function cellsOf(question: Question, columns: Columns, count: number): Cell[] {
  const { figures, selection } = question;
  const { latest = [], distinct = [] } = selection;
  const hasPrevious = (selection.previous ?? []).length > 0;
  // Values of `latest` are texts (question.ts), which the engine compares by their bytes, as it does paths.
  const order = selection.foldedHere
    ? compare
    : (one: unknown, other: unknown) => compareInEngine('path', one, other);
  return [
    ...figures.map((figure) => figureCell(columns, figure, count)),
    ...latest.map((dimension): Cell => {
      const last = createLatest(count, order);
      const add = (slice: GroupedSlice) => {
        const column = columns.own(slice.block, dimension);
        if (slice.isCurrent) addLatest(slice, column, column, last);
      };
      return { name: `latest_${dimension}`, add, of: (group) => String(latestValue(last, group) ?? '') };
    }),
    ...distinct.map((name) => distinctCell(columns, name, false, count)),
    ...(hasPrevious ? distinct : []).map((name) => distinctCell(columns, name, true, count)),
  ];
}

/** A metric of the latest request, an estimator's figure, or a sum, minimum or maximum. */
function figureCell(columns: Columns, figure: Figure, count: number): Cell {
  const { name, metric, stored, previous } = figure;
  const { none } = metrics[metric];
  if (isLatest(stored)) {
    const last = createLatest(count, compare);
    const add = (slice: GroupedSlice) => {
      const [value, tie] = [columns.own(slice.block, stored), columns.own(slice.block, 'asn')];
      if (slice.isCurrent !== previous) addLatest(slice, value, tie, last);
    };
    return { name, add, of: (group) => latestValue(last, group) ?? none };
  }
  if (isMergedHere(stored)) {
    const merged = createStateGroups(stored);
    const add = (slice: GroupedSlice) => {
      if (slice.isCurrent !== previous) merged.add(slice, columns.tests(slice.block, figure));
    };
    return { name, add, of: (group) => merged.of(group) ?? none };
  }
  const sums = createSums(metrics[stored].fold.kind, count);
  const add = (slice: GroupedSlice) => addFigure(figure, slice, columns.tests(slice.block, figure), sums);
  return { name, add, of: (group) => sums.of(group) ?? none };
}

/** @param ofPrevious whether the values of the previous window count, not those of the current one */
function distinctCell(columns: Columns, dimension: DimensionName, ofPrevious: boolean, count: number): Cell {
  const column = columns.shared(dimension);
  const found = createDistinct(count, column.values.length);
  return {
    name: `${ofPrevious ? 'previous_distinct' : 'distinct'}_${dimension}`,
    add(slice) {
      if (slice.isCurrent !== ofPrevious) addDistinct(slice, column, dimension === 'path', found);
    },
    of: (group) => found.counts[group]!,
  };
}
