import { describe, expect, it } from 'vitest';
import { countZ } from './tails.js';

describe('tails of counts', () => {
  it('has the z of the exact Poisson tail', () => {
    for (const mean of [0.05, 0.5, 2, 10, 80]) {
      for (const count of [1, 2, 5, 9, 30, 60, 120]) {
        const below = sumUpTo(count - 1, poissonTerm(mean));
        const upper = 1 - below;
        if (count > mean && upper > 1e-9)
          expect(countZ(count, mean, 1), `≥ ${count} of ${mean}`).toBeCloseTo(
            Math.max(0, zOfUpper(upper)),
            1,
          );
        const lower = sumUpTo(count, poissonTerm(mean));
        if (count < mean && lower > 1e-9)
          expect(countZ(count, mean, 1), `≤ ${count} of ${mean}`).toBeCloseTo(
            Math.min(0, -zOfUpper(lower)),
            1,
          );
      }
    }
  });

  it('is nearer to zero for a larger dispersion', () => {
    expect(countZ(40, 10, 4)).toBeLessThan(countZ(40, 10, 1));
    expect(countZ(0, 10, 4)).toBeGreaterThan(countZ(0, 10, 1));
  });
});

function sumUpTo(last: number, term: (k: number) => number): number {
  let sum = 0;
  for (let k = 0; k <= last; k += 1) sum += term(k);
  return sum;
}

function poissonTerm(mean: number): (k: number) => number {
  return (k) => Math.exp(k * Math.log(mean) - mean - logFactorial(k));
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let k = 2; k <= n; k += 1) sum += Math.log(k);
  return sum;
}

/** By bisection of a numerically integrated normal tail. */
function zOfUpper(tail: number): number {
  let low = -8;
  let high = 8;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (normalUpper(middle) > tail) low = middle;
    else high = middle;
  }
  return low;
}

function normalUpper(z: number): number {
  let sum = 0;
  const step = 0.002;
  for (let x = z + step / 2; x < 9; x += step) sum += Math.exp((-x * x) / 2);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}
