/**
 * How likely counts are by chance. Chernoff bounds: never below the true probability and at most a few times
 * above it, even for the smallest counts, where a z-score means nothing.
 */

/**
 * Probability of a finding by chance. A website has about 300 windows a day and rule: one in a million is one
 * in ten years.
 */
export const RARE = 1e-6;

/** Probability of `count` or more successes in `trials`, each with this probability (binomial). */
export function chanceOfShare(count: number, trials: number, probability: number): number {
  if (trials <= 0 || count <= trials * probability) return 1;
  if (probability <= 0) return 0;
  const share = Math.min(1, count / trials);
  const divergence =
    share * Math.log(share / probability) +
    (share === 1 ? 0 : (1 - share) * Math.log((1 - share) / (1 - probability)));
  return Math.exp(-trials * divergence);
}

/** Probability of `count` or more events for this expected number (Poisson). */
export function chanceOfCount(count: number, expected: number): number {
  if (count <= expected) return 1;
  if (expected <= 0) return 0;
  return Math.exp(count - expected - count * Math.log(count / expected));
}
