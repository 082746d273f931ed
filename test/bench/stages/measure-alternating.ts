import { quantile } from '../statistics.js';

/** The first round is for the compiler only. */
const ROUNDS = 6;

export type Work = () => Promise<void> | void;

/**
 * Runs all of them in each round, so that disturbances affect all equally.
 * @returns medians, µs of CPU of this process
 */
export async function measureAlternating(
  works: Readonly<Record<string, Work>>,
): Promise<Record<string, number>> {
  const samples = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) samples.get(name)!.push(user + system);
    }
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, quantile(values, 0.5)]));
}
