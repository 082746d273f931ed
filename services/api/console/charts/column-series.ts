import type { Series } from './time-chart-props.js';

const COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'] as const;
const OTHER = 'other';

/**
 * Series of rows that have a column for each name: one for each of the names with the largest sums, the rest as one.
 * @param time name of the column with the time.
 * @param groupOf joins names into groups; by default each name is its own group.
 */
export function columnSeries(
  rows: readonly Readonly<Record<string, string | number>>[],
  time: string,
  groupOf: (name: string) => string = (name) => name,
): Series[] {
  const groups = new Map<string, number[]>();
  rows.forEach((row, place) => {
    for (const [name, value] of Object.entries(row)) {
      if (name === time || typeof value !== 'number') continue;
      const group = name === OTHER ? OTHER : groupOf(name);
      const values = groups.get(group) ?? new Array<number>(rows.length).fill(0);
      values[place] = (values[place] ?? 0) + value;
      groups.set(group, values);
    }
  });
  const rest = groups.get(OTHER) ?? new Array<number>(rows.length).fill(0);
  groups.delete(OTHER);
  const bySize = [...groups].sort(([, a], [, b]) => sum(b) - sum(a)).filter(([, values]) => sum(values) > 0);
  for (const [, values] of bySize.slice(COLOURS.length))
    values.forEach((value, place) => {
      rest[place] = (rest[place] ?? 0) + value;
    });
  const shown = bySize
    .slice(0, COLOURS.length)
    .map(([name, values], place): Series => ({ name, colour: COLOURS[place] ?? '--other', values }));
  return sum(rest) > 0 ? [...shown, { name: OTHER, colour: '--other', values: rest }] : shown;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
