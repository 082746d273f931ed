/**
 * The distribution of a duration in minutes: counts in coarse classes, where older observations weigh less.
 * Plain JSON of about thirty numbers.
 */
export type Spread = number[];

/** Upper bounds of the classes. */
const ENDS = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 120, 150, 180, 240, 300, 360, 480, 600,
  720, 960, 1_200, 1_440, 1_560, 1_800, 2_160,
];
/** Above this total all counts are halved, so that about as many new observations replace the old ones. */
const MOST = 500;

export function newSpread(): Spread {
  return ENDS.map(() => 0);
}

/** Durations above the last class count in it. */
export function addMinutes(spread: Spread, minutes: number): void {
  const index = classOf(minutes);
  spread[index] = (spread[index] ?? 0) + 1;
  if (totalOf(spread) > MOST) for (const [at, count] of spread.entries()) spread[at] = count / 2;
}

/** Corrects an observation that was counted as `from` to the longer `to`. */
export function moveMinutes(spread: Spread, from: number, to: number): void {
  const before = classOf(from);
  spread[before] = Math.max(0, (spread[before] ?? 0) - 1);
  addMinutes(spread, to);
}

function classOf(minutes: number): number {
  const found = ENDS.findIndex((end) => minutes <= end);
  return found < 0 ? ENDS.length - 1 : found;
}

/**
 * Minutes within which this share of observations lies, rounded up to the end of a class; 0: no observation.
 */
export function quantile(spread: Spread, share: number): number {
  const total = totalOf(spread);
  let below = 0;
  for (const [index, count] of spread.entries()) {
    below += count;
    if (count > 0 && below >= share * total) return ENDS[index]!;
  }
  return 0;
}

function totalOf(spread: Spread): number {
  return spread.reduce((sum, count) => sum + count, 0);
}
