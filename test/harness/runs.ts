/** Whether the long tests run too (`npm run test:nightly`); a file marks one by `test.runIf(isNightly)`. */
export const isNightly = process.env.NIGHTLY !== undefined;

/**
 * Number of runs of a property or fuzz test: all with NIGHTLY, a twentieth in `npm test`, but at least 20.
 */
export function runs(all: number): number {
  return isNightly ? all : Math.min(all, Math.max(20, Math.ceil(all / 20)));
}

/**
 * A part of the combinations of many subjects with many cases: all with NIGHTLY. `npm test` takes `few` cases
 * for each subject, and the next cases for the next subject. So every case is tested with some subject.
 * @param subject index of the subject among all
 */
export function casesFor<T>(subject: number, all: readonly T[], few: number): readonly T[] {
  if (isNightly || few >= all.length) return all;
  return Array.from({ length: few }, (_, index) => all[(subject * few + index) % all.length]!);
}
