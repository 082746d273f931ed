/**
 * Measures the distance of a value from all values seen recently; a value that was seen before, even rarely,
 * is no news. A sketch of at most a few hundred values represents all of them. Plain JSON.
 */
export interface Seen {
  /** Rising; neighbours differ by more than {@link SAME} of the scale. */
  values: number[];
  /** The number of values that each one represents. Each `forget` halves it. */
  counts: number[];
  /** All values that were ever added. */
  total: number;
  /** The width of the middle nine tenths, recomputed from time to time. */
  middle: number;
}

/** Fewer values are too few to measure novelty. */
const LEAST_SEEN = 20;
const MOST_KEPT = 200;
const SAME = 0.01;
/** Least width of the middle as a share of the whole range, since most values may be equal. */
const LEAST_MIDDLE = 1e-3;
const MEASURE_EVERY = 50;
/**
 * Five weeks of 5-minute intervals, like baselines. A value that was seen once is news again after five to
 * ten weeks.
 */
const FORGET_EVERY = 10_080;
const LEAST_COUNT = 0.3;

export function nothingSeen(): Seen {
  return { values: [], counts: [], total: 0, middle: 0 };
}

/**
 * The distance to the nearest seen value, over the geometric mean of the whole range and the middle nine
 * tenths. The middle alone would make every peak of a spiky series news; the range alone would hide changes
 * after one outlier. 0: seen before.
 */
export function noveltyOf(seen: Seen, value: number): number {
  if (seen.total <= LEAST_SEEN) return 0;
  const nearest = seen.values[nearestTo(seen, value)]!;
  return Math.abs(value - nearest) / scaleOf(seen, value);
}

/** Adds a value. Mutates. Values are rounded to six digits, since states are stored as text. */
export function remember(seen: Seen, given: number): void {
  const value = Number(given.toPrecision(6));
  seen.total += 1;
  if (seen.total % FORGET_EVERY === 0) forget(seen);
  const nearest = nearestTo(seen, value);
  const isSame = nearest >= 0 && Math.abs(seen.values[nearest]! - value) <= SAME * scaleOf(seen, value);
  if (isSame) seen.counts[nearest]! += 1;
  else {
    const place = firstAbove(seen.values, value);
    seen.values.splice(place, 0, value);
    seen.counts.splice(place, 0, 1);
    if (seen.values.length > MOST_KEPT) thin(seen);
  }
  if (seen.total <= LEAST_SEEN || seen.total % MEASURE_EVERY === 0)
    seen.middle = quantileOf(seen, 0.95) - quantileOf(seen, 0.05);
}

/** Halves the counts. A value that was seen once is deleted the second time. */
function forget(seen: Seen): void {
  const counts = seen.counts.map((count) => count / 2);
  seen.values = seen.values.filter((_, place) => counts[place]! >= LEAST_COUNT);
  seen.counts = counts.filter((count) => count >= LEAST_COUNT);
}

function rangeOf({ values }: Seen): number {
  return values.length > 0 ? values.at(-1)! - values[0]! : 0;
}

function scaleOf(seen: Seen, value: number): number {
  const range = rangeOf(seen);
  // All values were equal: a hundredth of the value is a step.
  if (!(range > 0)) return 0.01 * Math.abs(value) + Number.EPSILON;
  return Math.sqrt(Math.max(seen.middle, LEAST_MIDDLE * range) * range);
}

function firstAbove(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** -1 if nothing was seen. */
function nearestTo({ values }: Seen, value: number): number {
  const above = firstAbove(values, value);
  if (above === 0) return values.length > 0 ? 0 : -1;
  if (above === values.length) return above - 1;
  return values[above]! - value < value - values[above - 1]! ? above : above - 1;
}

function quantileOf({ values, counts }: Seen, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let passed = 0;
  for (let place = 0; place < values.length; place += 1) {
    passed += counts[place]!;
    if (passed >= share * total) return values[place]!;
  }
  return values.at(-1) ?? 0;
}

/** Merges neighbours; the lowest and the highest value stay. */
function thin(seen: Seen): void {
  const least = (2 * rangeOf(seen)) / MOST_KEPT;
  const values = [seen.values[0]!];
  const counts = [seen.counts[0]!];
  for (let place = 1; place < seen.values.length; place += 1) {
    const isLast = place === seen.values.length - 1;
    if (isLast || seen.values[place]! - values.at(-1)! > least) {
      values.push(seen.values[place]!);
      counts.push(seen.counts[place]!);
    } else counts[counts.length - 1]! += seen.counts[place]!;
  }
  seen.values = values;
  seen.counts = counts;
}
