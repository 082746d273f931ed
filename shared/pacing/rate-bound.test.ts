import { expect, test } from 'vitest';
import { createRateBound } from './rate-bound.js';

function setUp() {
  const clock = { ms: 0 };
  const bound = createRateBound({ least: 30, most: 60, seconds: 0.5, now: () => clock.ms });
  /** Counts `amount` each half second, for `seconds`. */
  const come = (amount: number, seconds: number) => {
    for (const end = clock.ms + seconds * 1_000; clock.ms < end; clock.ms += 500) bound.count(amount);
  };
  return { bound, clock, come };
}

test('a bound is its minimum at a low rate, and the amount of its seconds at a higher one', () => {
  const { bound, come } = setUp();
  expect(bound.value()).toBe(30);
  come(20, 60);
  expect(bound.value()).toBe(30);
  come(45, 60);
  expect(bound.value()).toBeGreaterThan(40);
  expect(bound.value()).toBeLessThan(50);
});

test('a bound never exceeds its maximum, and shrinks again without input', () => {
  const { bound, clock, come } = setUp();
  come(1_000, 60);
  expect(bound.value()).toBe(60);
  clock.ms += 60_000;
  expect(bound.value()).toBe(30);
});
