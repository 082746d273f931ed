/**
 * How unlikely a count is, as the z of a normal distribution with the same tail. Exact tails underflow in the
 * detector's range. Approximations of Peizer and Pratt 1968, accurate to about a hundredth of z.
 */

/**
 * The z with Φ(z) ≈ P(X ≤ count) for a Poisson distribution. `count` may be fractional, from -1; `mean` > 0.
 */
function poissonZ(count: number, mean: number): number {
  const half = count + 0.5;
  if (half <= 0) return -Math.sqrt(2 * mean);
  const d = count + 2 / 3 - mean + 0.02 / (count + 1);
  return withDeviance(d, half - mean, half * Math.log(half / mean) + mean - half, mean);
}

/** `d / |off| · sqrt(2 deviance)`, or its limit if the count is the expected one. */
function withDeviance(d: number, off: number, deviance: number, variance: number): number {
  if (Math.abs(off) < 1e-6 * Math.max(1, variance)) return d / Math.sqrt(variance);
  return (d / Math.abs(off)) * Math.sqrt(2 * Math.max(0, deviance));
}

/**
 * Above the mean the z of P(X ≥ count), below it that of P(X ≤ count).
 * It is 0 if the count is not unlikely on its side.
 * @param dispersion variance over mean, which is 1 for Poisson
 */
export function countZ(count: number, mean: number, dispersion: number): number {
  if (count > mean) return Math.max(0, poissonZ(count / dispersion - 1 / dispersion, mean / dispersion));
  return Math.min(0, poissonZ(count / dispersion, mean / dispersion));
}
