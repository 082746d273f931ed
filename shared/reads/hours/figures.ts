import { metrics } from '../sql/metrics.js';
import type { RowTest, SharedColumn } from './columns.js';
import type { GroupedRows } from './groups.js';
import type { Figure } from './question.js';
import { addNumber, type RowBlock } from './row-block.js';

/** Adds the rows of slices to the figures of their groups. */

/** Rows of a slice with their groups. */
export interface FoldedSlice extends GroupedRows {
  readonly block: RowBlock;
  /** Whether the current window has the rows. */
  readonly isCurrent: boolean;
}

/** A number for each group. */
export interface Sums {
  readonly numbers: Float64Array;
  /** null: the group has no row of the figure. */
  of(group: number): number | null;
}

export function createSums(kind: string, groups: number): Sums {
  const numbers = new Float64Array(groups).fill(kind === 'sum' ? 0 : Number.NaN);
  return { numbers, of: (group) => (Number.isNaN(numbers[group]) ? null : numbers[group]!) };
}

/** @param tests the figure counts the rows that pass all of them */
export function addFigure(
  { stored, previous }: Figure,
  { block, isCurrent, rows, groups, length }: FoldedSlice,
  tests: readonly RowTest[],
  { numbers: sums }: Sums,
): void {
  if (isCurrent === previous) return;
  const { kind } = metrics[stored].fold;
  const numbers = block.figures.get(stored)!;
  for (let index = 0; index < length; index++) {
    const row = rows[index]!;
    if (tests.length > 0 && !passesAll(tests, row)) continue;
    if (kind === 'sum') sums[groups[index]!]! += numbers[row]!;
    else addNumber(kind, sums, groups[index]!, numbers[row]!);
  }
}

function passesAll(tests: readonly RowTest[], row: number): boolean {
  for (const { codes, passing } of tests) if (passing[codes[row]!] === 0) return false;
  return true;
}

interface Column {
  readonly codes: ArrayLike<number>;
  readonly values: readonly unknown[];
}

/** The value in the row of each group that was seen last. */
export interface Latest {
  readonly seen: number[];
  readonly tie: unknown[];
  readonly value: unknown[];
  compareTies(one: unknown, other: unknown): number;
}

export function createLatest(compareTies: Latest['compareTies']): Latest {
  return { seen: [], tie: [], value: [], compareTies };
}

/** @param tie decides between rows that were seen at the same time: the greatest one */
export function addLatest(
  { block, rows, groups, length }: FoldedSlice,
  column: Column,
  tie: Column,
  { seen, tie: ties, value, compareTies }: Latest,
): void {
  const seenAt = block.figures.get('last_seen')!;
  for (let index = 0; index < length; index++) {
    const [row, group] = [rows[index]!, groups[index]!];
    const at = seenAt[row]!;
    const known = seen[group];
    if (known !== undefined && at < known) continue;
    const tieOfRow = tie.values[tie.codes[row]!];
    if (known === at && compareTies(tieOfRow, ties[group]) <= 0) continue;
    seen[group] = at;
    ties[group] = tieOfRow;
    value[group] = column.values[column.codes[row]!];
  }
}

/** Numbers of different codes of each group. */
export interface Distinct {
  readonly counts: Uint32Array;
  /** Whether the pair is new. */
  add(group: number, code: number): boolean;
}

/** Pairs of a group and a code with a place in an array, which is much faster than a set. */
const MOST_PLACES = 2 ** 22;

export function createDistinct(groups: number, codes: number): Distinct {
  const counts = new Uint32Array(groups);
  if (groups * codes <= MOST_PLACES) {
    const known = new Uint8Array(groups * codes);
    return {
      counts,
      add(group, code) {
        const pair = group * codes + code;
        if (known[pair] === 1) return false;
        known[pair] = 1;
        return true;
      },
    };
  }
  const known = new Set<number>();
  return {
    counts,
    add(group, code) {
      const before = known.size;
      return known.add(group * codes + code).size > before;
    },
  };
}

/** @param exceptEmpty an empty text does not count */
export function addDistinct(
  { block, rows, groups, length }: FoldedSlice,
  { values, codesIn }: SharedColumn,
  exceptEmpty: boolean,
  { counts, add }: Distinct,
): void {
  const { codes, map } = codesIn(block);
  const ignored = exceptEmpty ? values.indexOf('') : -1;
  for (let index = 0; index < length; index++) {
    const own = codes[rows[index]!]!;
    const code = map === null ? own : map[own]!;
    if (code !== ignored && add(groups[index]!, code)) counts[groups[index]!]! += 1;
  }
}
