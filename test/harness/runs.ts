/** How many runs of a property or fuzz test: all with NIGHTLY, a twentieth in `npm test`, but never fewer than 20. */
export function runs(all: number): number {
  return process.env.NIGHTLY ? all : Math.min(all, Math.max(20, Math.ceil(all / 20)));
}
