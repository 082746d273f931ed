/**
 * Measures how the time of some work grows with its input. Seconds depend on the machine, but their ratio for
 * four times the input does not: 4 if the work is linear, 16 if it is quadratic.
 */

const REPEATS = 2;
/** A busy machine only adds time: growth counts only if every attempt shows it. */
const ATTEMPTS = 5;
/** Least time that counts, above the clock's noise. */
const NOISE_MICROSECONDS = 1_000;
/** Between 4 and 16, nearer to 16. */
export const MOST_GROWTH = 10;

/** The least CPU time of several runs. It excludes other processes, and garbage collection only adds time. */
function leastMicroseconds(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return Math.max(least, NOISE_MICROSECONDS);
}

/**
 * CPU time at `4n` over that at `n`: the least of a few attempts. The first attempt without excessive growth
 * ends them.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_GROWTH; attempt++) {
    const [once, twice, fourTimes] = [1, 2, 4].map((factor) => leastMicroseconds(() => work(factor * size)));
    least = Math.min(least, fourTimes! / once!, (fourTimes! / twice!) ** 2);
  }
  return least;
}
