/**
 * How long something takes as a rule, in minutes: counts by rough classes, of which the older count less and less. Plain JSON of
 * some thirty numbers, however much was counted.
 */
export type Spread = number[];

/** Upper ends of the classes. */
const ENDS = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 120, 150, 180, 240, 300, 360, 480, 600,
  720, 960, 1_200, 1_440, 1_560, 1_800, 2_160,
];
/** Past it all counts are halved: what was learned is unlearned after some as many again. */
const MOST = 500;

export function newSpread(): Spread {
  return ENDS.map(() => 0);
}

/** What is longer than the last class counts in it. */
export function addMinutes(spread: Spread, minutes: number): void {
  const index = classOf(minutes);
  spread[index] = (spread[index] ?? 0) + 1;
  if (totalOf(spread) > MOST) for (const [at, count] of spread.entries()) spread[at] = count / 2;
}

/** What was counted as `from` was longer than that: `to`. */
export function moveMinutes(spread: Spread, from: number, to: number): void {
  const before = classOf(from);
  spread[before] = Math.max(0, (spread[before] ?? 0) - 1);
  addMinutes(spread, to);
}

function classOf(minutes: number): number {
  const found = ENDS.findIndex((end) => minutes <= end);
  return found < 0 ? ENDS.length - 1 : found;
}

/** Minutes within which this share of all lies, rounded up to the end of a class; 0: nothing was counted. */
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
