/** Whether the long tests run too (`npm run test:nightly`); a file marks one by `test.runIf(isNightly)`. */
export const isNightly = process.env.NIGHTLY !== undefined;

/** How many runs of a property or fuzz test: all with NIGHTLY, a twentieth in `npm test`, but never fewer than 20. */
export function runs(all: number): number {
  return isNightly ? all : Math.min(all, Math.max(20, Math.ceil(all / 20)));
}

/**
 * Part of the combinations of many subjects with many cases: all with NIGHTLY. `npm test` takes `few` cases for each
 * subject and continues with the next subject where it stopped, so that some subject meets every case.
 * @param subject place of the subject among all.
 */
export function casesFor<T>(subject: number, all: readonly T[], few: number): readonly T[] {
  if (isNightly || few >= all.length) return all;
  return Array.from({ length: few }, (_, index) => all[(subject * few + index) % all.length]!);
}
