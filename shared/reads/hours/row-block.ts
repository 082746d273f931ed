import { DAY_MS, HOUR_MS } from '../../durations.js';
import type { Steps } from '../../pacing/turns.js';
import { type MetricName, metrics } from '../sql/metrics.js';
import type { Dictionaries, Dictionary } from './dictionary.js';
import type { ColumnName, KeptRollup, Value } from './kept-rollups.js';
import { mergeStates, packStates, type StateColumn } from './state-columns.js';

/**
 * Rows of a rollup in memory, column by column. This folder and services/api/kept-hours use these words:
 * - Bucket: the time that one row counts. `unit` is its length in milliseconds: a day, an hour, a minute or ten seconds.
 * - Block: the rows of consecutive buckets, a day or an hour long. A packed block never changes. It is no block of the log.
 * - Part: the buckets of a block that are read together and have one version. A part is an hour, or a day if the buckets are days.
 * - Span: the buckets of one block that a window needs (spans.ts).
 * - Slice: the same buckets of a block that is in memory. Lists are folded from slices (fold-rows.ts).
 * - Group: rows with equal keys. They become one row of a list.
 * - Fill: a statement that reads parts (fill-statement.ts).
 */

type Codes = Uint8Array | Uint16Array | Uint32Array;
type Numbers = Codes | Float64Array;

/** Row r has the value values[codes[r]], or values[r] without codes. */
export interface Column {
  readonly codes: Codes | null;
  readonly values: readonly Value[];
  /** The code of a value; undefined: no row has it. Only columns with a dictionary have this function. */
  readonly find?: Dictionary['find'] | undefined;
}

/** Rows `from` up to `to`, without `to`. */
export interface Rows {
  readonly columns: ReadonlyMap<ColumnName, Column>;
  readonly figures: ReadonlyMap<MetricName, ArrayLike<number>>;
  readonly states: ReadonlyMap<MetricName, StateColumn>;
  readonly from: number;
  readonly to: number;
}

export interface RowBlock {
  /** Start of the first bucket, in milliseconds. */
  readonly start: number;
  readonly unit: number;
  /** Versions of the block's parts, from before their rows were read; undefined: not read. */
  readonly versions: readonly (number | undefined)[];
  /** When the first row of each part expires, in milliseconds; infinity: it has no rows. */
  readonly expiresAt: readonly number[];
  /** Bucket b has the rows from starts[b] up to starts[b + 1]. */
  readonly starts: Uint32Array;
  readonly columns: ReadonlyMap<ColumnName, Column & { readonly codes: Codes }>;
  readonly figures: ReadonlyMap<MetricName, Numbers>;
  readonly states: ReadonlyMap<MetricName, StateColumn>;
  /**
   * The rows of a complete day in one bucket, for lists that are not by hour; undefined: incomplete, not a day, or not much smaller than
   * the hours.
   */
  readonly whole?: RowBlock | undefined;
  /** Memory of the block in bytes, without dictionaries. */
  readonly bytes: number;
}

/** Overhead of a block and of an array besides its numbers. */
const BLOCK_BYTES = 1_000;
const ARRAY_BYTES = 300;

/** Packs in steps, one for each column. @param buckets the rows of each bucket; undefined: none */
export function* packBlock(
  kept: Pick<KeptRollup, 'columns' | 'metrics' | 'states'>,
  head: Pick<RowBlock, 'start' | 'unit' | 'versions' | 'expiresAt'>,
  buckets: readonly (Rows | undefined)[],
  dictionaries: Dictionaries,
): Steps<RowBlock> {
  const starts = new Uint32Array(buckets.length + 1);
  for (const [bucket, rows] of buckets.entries())
    starts[bucket + 1] = starts[bucket]! + (rows === undefined ? 0 : rows.to - rows.from);
  const present = buckets.filter((rows) => rows !== undefined);
  const length = starts.at(-1)!;
  const columns = yield* makeEach(kept.columns, (name) => packColumn(name, present, length, dictionaries));
  const figures = yield* makeEach(kept.metrics, (name) => packFigure(name, present, length));
  const states = yield* makeEach(kept.states, (name) => packStates(name, present));
  const block = {
    ...{ ...head, starts, columns, figures, states },
    bytes: sizeOf({ columns, figures, states }) + starts.byteLength + BLOCK_BYTES,
  };
  const { unit, versions } = head;
  if (unit !== HOUR_MS || buckets.length * unit !== DAY_MS || versions.includes(undefined)) return block;
  const whole = yield* packWholeDay(block);
  return whole === undefined ? block : { ...block, whole, bytes: block.bytes + whole.bytes };
}

function* makeEach<Name, Made>(names: Iterable<Name>, make: (name: Name) => Made): Steps<Map<Name, Made>> {
  const made = new Map<Name, Made>();
  for (const name of names) {
    made.set(name, make(name));
    yield;
  }
  return made;
}

/** One row for the rows of a day with equal values; undefined: these are more than half as many. Both blocks share the values. */
function* packWholeDay(block: RowBlock): Steps<RowBlock | undefined> {
  const sources = [...block.columns];
  const groupOf = new Uint32Array(block.starts.at(-1)!);
  const mostGroups = groupOf.length / 2;
  let firstRows: number[] = [];
  for (const [, { codes, values }] of sources) {
    const known = new Map<number, number>();
    firstRows = [];
    for (let row = 0; row < groupOf.length; row++) {
      const key = groupOf[row]! * values.length + codes[row]!;
      let group = known.get(key);
      if (group === undefined) {
        group = firstRows.push(row) - 1;
        known.set(key, group);
      }
      groupOf[row] = group;
    }
    if (firstRows.length > mostGroups) return undefined;
    yield;
  }
  const columns = new Map(
    sources.map(([name, { codes, values }]) => {
      const ofGroups = Uint32Array.from(firstRows, (row) => codes[row]!);
      return [name, { codes: narrow(ofGroups, values.length) as Codes, values }] as const;
    }),
  );
  const figures = yield* makeEach(block.figures.keys(), (name) => {
    const { kind } = metrics[name].fold;
    const numbers = block.figures.get(name)!;
    const folded = Float64Array.from(firstRows, () => (kind === 'sum' ? 0 : Number.NaN));
    for (let row = 0; row < groupOf.length; row++) addNumber(kind, folded, groupOf[row]!, numbers[row]!);
    const greatest = folded.reduce((one, other) => Math.max(one, other), 0);
    return narrow(folded, greatest);
  });
  const states = yield* makeEach(block.states.keys(), (name) =>
    mergeStates(name, block.states.get(name)!, groupOf, firstRows.length),
  );
  return {
    ...{ start: block.start, unit: DAY_MS, versions: [], expiresAt: [], columns, figures, states },
    starts: Uint32Array.of(0, firstRows.length),
    bytes: sizeOf({ columns, figures, states }),
  };
}

/** Adds a number to a sum, minimum or maximum; NaN: none yet. */
export function addNumber(kind: string, folded: Float64Array, group: number, number: number): void {
  if (kind === 'sum') folded[group]! += number;
  else if (kind === 'min' ? !(folded[group]! <= number) : !(folded[group]! >= number)) folded[group] = number;
}

/** The rows of a bucket of a block. */
export function bucketOf({ starts, columns, figures, states }: RowBlock, bucket: number): Rows {
  return { columns, figures, states, from: starts[bucket]!, to: starts[bucket + 1]! };
}

/** Only values that occur get a code: an erased address must not remain in memory. */
function packColumn(name: ColumnName, buckets: readonly Rows[], length: number, dictionaries: Dictionaries) {
  const { values, codeOf, find } = dictionaries.of(name);
  const codes = new Uint32Array(length);
  let at = 0;
  for (const { columns, from, to } of buckets) {
    const column = columns.get(name)!;
    const known = new Int32Array(column.values.length).fill(-1);
    for (let row = from; row < to; row++) {
      const index = column.codes === null ? row : column.codes[row]!;
      let code = known[index]!;
      if (code < 0) {
        code = codeOf(column.values[index]!);
        known[index] = code;
      }
      codes[at++] = code;
    }
  }
  return { codes: narrow(codes, values.length) as Codes, values, find };
}

function packFigure(name: MetricName, buckets: readonly Rows[], length: number): Numbers {
  const numbers = new Float64Array(length);
  let at = 0;
  let greatest = 0;
  for (const { figures, from, to } of buckets) {
    const figure = figures.get(name)!;
    for (let row = from; row < to; row++) {
      const number = figure[row]!;
      numbers[at++] = number;
      if (number > greatest) greatest = number;
    }
  }
  return narrow(numbers, greatest);
}

/** Copies whole numbers from 0 to `greatest` into the narrowest array. */
function narrow(numbers: Numbers, greatest: number): Numbers {
  if (greatest < 2 ** 8) return new Uint8Array(numbers);
  if (greatest < 2 ** 16) return new Uint16Array(numbers);
  return greatest < 2 ** 32 ? new Uint32Array(numbers) : new Float64Array(numbers);
}

function sizeOf({ columns, figures, states }: Pick<RowBlock, 'columns' | 'figures' | 'states'>): number {
  const ofStates = [...states.values()].flatMap(({ bytes, starts }) => [bytes, starts]);
  const arrays = [...[...columns.values()].map(({ codes }) => codes), ...figures.values(), ...ofStates];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength + ARRAY_BYTES, 0);
}
