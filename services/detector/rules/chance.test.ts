import { describe, expect, it } from 'vitest';
import { chanceOfCount, chanceOfShare } from './chance.js';

/** The exact probability of `count` or more. */
function binomialTail(count: number, trials: number, probability: number): number {
  let term = (1 - probability) ** trials;
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= ((trials - k) / (k + 1)) * (probability / (1 - probability));
  }
  return 1 - below;
}

describe('bounds of chance', () => {
  it('are never below the true chance, and close to it', () => {
    for (const [count, trials, probability] of [
      [3, 10, 0.1],
      [8, 10, 0.3],
      [20, 100, 0.1],
      [60, 1_000, 0.04],
    ] as const) {
      const truth = binomialTail(count, trials, probability);
      const bound = chanceOfShare(count, trials, probability);
      expect(bound).toBeGreaterThanOrEqual(truth);
      expect(bound).toBeLessThan(truth * 20);
    }
  });

  it('are 1 for expected counts, and 0 for impossible ones', () => {
    expect(chanceOfShare(5, 100, 0.05)).toBe(1);
    expect(chanceOfShare(1, 100, 0)).toBe(0);
    expect(chanceOfShare(0, 0, 0.5)).toBe(1);
    expect(chanceOfShare(10, 10, 0.1)).toBeCloseTo(1e-10);
    expect(chanceOfCount(5, 5)).toBe(1);
    expect(chanceOfCount(1, 0)).toBe(0);
  });

  it('are the same for a Poisson count and for many trials with a small probability', () => {
    expect(chanceOfCount(30, 10)).toBeCloseTo(chanceOfShare(30, 1e6, 1e-5), 8);
  });
});
