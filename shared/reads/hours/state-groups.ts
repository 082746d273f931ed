import type { MetricName } from '../sql/metrics.js';
import type { RowTest } from './columns.js';
import { type GroupedSlice, passesAll } from './figures.js';
import { foldOf, type StateColumn } from './state-columns.js';

/** The states of each group. A group is merged when its figure is needed, so that one fold serves all groups. */
export function createStateGroups(metric: MetricName) {
  const fold = foldOf(metric);
  const columns: StateColumn[] = [];
  /** By group: the numbers of a column and of a row, alternating. */
  const statesOf: number[][] = [];
  return {
    /** @param tests rows that pass all of them count */
    add({ block, rows, groups }: GroupedSlice, tests: readonly RowTest[]): void {
      const column = columns.push(block.states.get(metric)!) - 1;
      for (let index = 0; index < rows.length; index++) {
        const row = rows[index]!;
        if (!passesAll(tests, row)) continue;
        const group = groups[index]!;
        statesOf[group] ??= [];
        statesOf[group].push(column, row);
      }
    },
    /** null: the group has no row of the figure. */
    of(group: number): unknown {
      const states = statesOf[group];
      if (states === undefined) return null;
      fold.clear();
      for (let at = 0; at < states.length; at += 2) {
        const { bytes, starts } = columns[states[at]!]!;
        const row = states[at + 1]!;
        fold.add(bytes, starts[row]!, starts[row + 1]!);
      }
      return fold.figure();
    },
  };
}
