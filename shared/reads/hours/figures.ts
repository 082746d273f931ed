import { metrics } from '../sql/metrics.js';
import type { OwnColumn, RowTest, SharedColumn } from './columns.js';
import type { Figure } from './question.js';
import { addNumber, type RowBlock } from './row-block.js';

/** Adds the rows of slices to the figures of their groups. */

/** Rows of a slice with their groups. */
export interface GroupedSlice {
  readonly block: RowBlock;
  /** Numbers of the rows in the block, and the group of each. */
  readonly rows: Uint32Array;
  readonly groups: Uint32Array;
  /** Whether the current window has the rows. */
  readonly isCurrent: boolean;
}

/** A number for each group. */
export interface Sums {
  readonly numbers: Float64Array;
  /** null: the group has no row of the figure. */
  of(group: number): number | null;
}

/** @param kind 'sum', 'min' or 'max' */
export function createSums(kind: string, groups: number): Sums {
  const numbers = new Float64Array(groups).fill(kind === 'sum' ? 0 : Number.NaN);
  return { numbers, of: (group) => (Number.isNaN(numbers[group]) ? null : numbers[group]!) };
}

/** @param tests the figure counts the rows that pass all of them */
export function addFigure(
  { stored, previous }: Figure,
  { block, isCurrent, rows, groups }: GroupedSlice,
  tests: readonly RowTest[],
  { numbers: sums }: Sums,
): void {
  if (isCurrent === previous) return;
  const { kind } = metrics[stored].fold;
  const numbers = block.figures.get(stored)!;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    if (tests.length > 0 && !passesAll(tests, row)) continue;
    if (kind === 'sum') sums[groups[index]!]! += numbers[row]!;
    else addNumber(kind, sums, groups[index]!, numbers[row]!);
  }
}

/** Whether the row passes all tests of its figure. */
export function passesAll(tests: readonly RowTest[], row: number): boolean {
  for (const { codes, passing } of tests) if (passing[codes[row]!] === 0) return false;
  return true;
}

type Column = Pick<OwnColumn, 'codes' | 'values'>;

/** The row of each group that was seen last. */
export interface Latest {
  /** Its time in milliseconds since the epoch; -1: none. */
  readonly seen: Float64Array;
  readonly rows: Uint32Array;
  /** Number of its slice in `slices`. */
  readonly sliceOf: Uint32Array;
  /** The columns of each slice. The greatest `tie` decides between rows that were seen at the same time. */
  readonly slices: { readonly value: Column; readonly tie: Column }[];
  compareTies(one: unknown, other: unknown): number;
}

/** Without rows. @param groups their number */
export function createLatest(groups: number, compareTies: Latest['compareTies']): Latest {
  const [rows, sliceOf] = [new Uint32Array(groups), new Uint32Array(groups)];
  return { seen: new Float64Array(groups).fill(-1), rows, sliceOf, slices: [], compareTies };
}

const valueIn = ({ values, codes }: Column, row: number) => values[codes[row]!];

/** undefined: the group has no row. */
export function latestValue({ seen, rows, sliceOf, slices }: Latest, group: number): unknown {
  return seen[group] === -1 ? undefined : valueIn(slices[sliceOf[group]!]!.value, rows[group]!);
}

/** @param value column of the value, and @param tie of the tie-breaker, in the slice's block */
export function addLatest(
  { block, rows, groups }: GroupedSlice,
  value: Column,
  tie: Column,
  { seen, rows: lastRows, sliceOf, slices, compareTies }: Latest,
): void {
  const seenAt = block.figures.get('last_seen')!;
  const slice = slices.push({ value, tie }) - 1;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const group = groups[index]!;
    const at = seenAt[row]!;
    const known = seen[group]!;
    if (at < known) continue;
    if (at === known) {
      const tieOfLast = valueIn(slices[sliceOf[group]!]!.tie, lastRows[group]!);
      if (compareTies(valueIn(tie, row), tieOfLast) <= 0) continue;
    }
    seen[group] = at;
    lastRows[group] = row;
    sliceOf[group] = slice;
  }
}

/** The number of different codes of each group. */
export interface Distinct {
  readonly counts: Uint32Array;
  /** Remembers the pair. @returns whether it is new */
  add(group: number, code: number): boolean;
}

/** Up to this number of pairs of a group and a code, an array has an element for each. It is much faster than a set. */
const MOST_ELEMENTS = 2 ** 22;

/** @param groups and @param codes their numbers */
export function createDistinct(groups: number, codes: number): Distinct {
  const counts = new Uint32Array(groups);
  if (groups * codes <= MOST_ELEMENTS) {
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
  { block, rows, groups }: GroupedSlice,
  { values, codesIn }: SharedColumn,
  exceptEmpty: boolean,
  { counts, add }: Distinct,
): void {
  const { codes, map } = codesIn(block);
  const ignored = exceptEmpty ? values.indexOf('') : -1;
  for (let index = 0; index < rows.length; index++) {
    const own = codes[rows[index]!]!;
    const code = map === null ? own : map[own]!;
    if (code !== ignored && add(groups[index]!, code)) counts[groups[index]!]! += 1;
  }
}
