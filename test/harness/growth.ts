/**
 * How the time of some work grows with its input. Seconds of a machine say nothing; how much longer four times the input
 * takes does: 4 times where every byte is looked at a bounded number of times, 16 where time goes by the square.
 */

const REPEATS = 2;
/** A loaded machine only adds: growth counts when it is seen each time. */
const ATTEMPTS = 5;
/** What lies below the clock's noise counts as this much. */
const NOISE_MICROSECONDS = 1_000;
/** Between 4 and 16, nearer to the latter. */
export const MOST_GROWTH = 10;

/** The least CPU time of several runs: other processes don't count in it, and the collection of garbage only adds. */
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

/** CPU time at `4n` as a multiple of that at `n`: the least of a few attempts, the first that is no growth ends them. */
export function growthOf(size: number, work: (size: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_GROWTH; attempt++) {
    const [once, twice, fourTimes] = [1, 2, 4].map((factor) => leastMicroseconds(() => work(factor * size)));
    least = Math.min(least, fourTimes! / once!, (fourTimes! / twice!) ** 2);
  }
  return least;
}
