/**
 * How unlikely a count is, as the z of a normal distribution with the same tail (approximations of Peizer and Pratt 1968,
 * good to about a hundredth of z): exact tails underflow where detectors look.
 */

/** The z with Φ(z) ≈ P(X ≤ count) of a Poisson of the mean. `count` may be broken, from -1; `mean` > 0. */
function poissonZ(count: number, mean: number): number {
  const half = count + 0.5;
  if (half <= 0) return -Math.sqrt(2 * mean);
  const d = count + 2 / 3 - mean + 0.02 / (count + 1);
  return withDeviance(d, half - mean, half * Math.log(half / mean) + mean - half, mean);
}

/** `d / |off| · sqrt(2 deviance)`, by its limit where the count is what is expected. */
function withDeviance(d: number, off: number, deviance: number, variance: number): number {
  if (Math.abs(off) < 1e-6 * Math.max(1, variance)) return d / Math.sqrt(variance);
  return (d / Math.abs(off)) * Math.sqrt(2 * Math.max(0, deviance));
}

/**
 * Above the mean by P(X ≥ count), below it by P(X ≤ count): the unlikelihood of so many, or of so few. 0 where the count is
 * not unlikely on its side. `dispersion` is variance over mean (1 of a Poisson).
 */
export function countZ(count: number, mean: number, dispersion: number): number {
  if (count > mean) return Math.max(0, poissonZ(count / dispersion - 1 / dispersion, mean / dispersion));
  return Math.min(0, poissonZ(count / dispersion, mean / dispersion));
}
