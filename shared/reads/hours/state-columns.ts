import { type MetricName, metrics } from '../sql/metrics.js';
import { createDistinctFold } from './distinct-fold.js';
import { createQuantileFold } from './quantile-fold.js';
import { type StateFold, UnknownStateError } from './state-fold.js';

/** Columns of estimators' states in binary form. */

/** The state of row r has the bytes from starts[r] up to starts[r + 1]. */
export interface StateColumn {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/** All reads share them: a group is merged without a break. */
const folds: ReadonlyMap<string, StateFold> = new Map([
  ['uniqCombined64:14', createDistinctFold()],
  ['quantilesBFloat16:0.5, 0.95, 0.99', createQuantileFold()],
]);

function aggregateOf(metric: MetricName): string {
  const { fold } = metrics[metric];
  return fold.kind === 'state' ? fold.aggregate : '';
}

/** Whether states of the metric are merged in this process. */
export function isMergedHere(metric: MetricName): boolean {
  return folds.has(aggregateOf(metric));
}

/** The fold of the metric's states. Use it for one group without a break: other reads use it, too. */
export function foldOf(metric: MetricName): StateFold {
  return folds.get(aggregateOf(metric))!;
}

/** The engine writes many empty registers into longer states, so these are packed again. */
const LONGEST_BYTES = 2_048;

/**
 * @param encoded states of the engine, one after the other, in base64
 * @throws UnknownStateError
 */
export function stateColumnOf(name: MetricName, encoded: string, lengths: readonly number[]): StateColumn {
  const bytes = Buffer.from(encoded, 'base64');
  const fold = foldOf(name);
  let end = 0;
  for (const length of lengths) {
    if (!(length > 0 && end + length <= bytes.length)) throw new UnknownStateError('a state is missing');
    fold.check(bytes, end, end + length);
    end += length;
  }
  if (end !== bytes.length) throw new UnknownStateError('there are more states than rows');
  const starts = startsOf(lengths);
  if (!lengths.some((length) => length > LONGEST_BYTES)) return { bytes, starts };
  const states = lengths.map((length, row) => {
    const state = bytes.subarray(starts[row]!, starts[row + 1]!);
    if (length <= LONGEST_BYTES) return state;
    fold.clear();
    fold.add(state, 0, length);
    return fold.merged();
  });
  return columnOf(states);
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [row, length] of lengths.entries()) starts[row + 1] = starts[row]! + length;
  return starts;
}

/** Copies the states of the rows of these buckets into one column. */
export function packStates(
  name: MetricName,
  buckets: readonly {
    readonly states: ReadonlyMap<MetricName, StateColumn>;
    readonly from: number;
    readonly to: number;
  }[],
): StateColumn {
  const lengths: number[] = [];
  const statesOfBuckets = buckets.map(({ states, from, to }) => {
    const { bytes, starts } = states.get(name)!;
    for (let row = from; row < to; row++) lengths.push(starts[row + 1]! - starts[row]!);
    return bytes.subarray(starts[from]!, starts[to]!);
  });
  return { bytes: join(statesOfBuckets), starts: startsOf(lengths) };
}

/** The state of each group. @param groupOf the group of each row */
export function mergeStates(
  name: MetricName,
  { bytes, starts }: StateColumn,
  groupOf: ArrayLike<number>,
  groups: number,
): StateColumn {
  const rowsOf = Array.from({ length: groups }, (): number[] => []);
  for (let row = 0; row < groupOf.length; row++) rowsOf[groupOf[row]!]!.push(row);
  const fold = foldOf(name);
  const merged = rowsOf.map((rows) => {
    fold.clear();
    for (const row of rows) fold.add(bytes, starts[row]!, starts[row + 1]!);
    return fold.merged();
  });
  return columnOf(merged);
}

function columnOf(states: readonly Uint8Array[]): StateColumn {
  return { bytes: join(states), starts: startsOf(states.map(({ length }) => length)) };
}

/** Into a buffer of its own: a small Buffer would keep the pool that it is cut from. */
function join(states: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(states.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const state of states) {
    bytes.set(state, at);
    at += state.length;
  }
  return bytes;
}
