import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRandom, shuffled, weighted } from './random.js';

it('has the same sequence for the same seed, and another for another seed', () => {
  const draw = (seed: string) => Array.from({ length: 50 }, (_, _i) => createRandom(seed).bits());
  const sequence = (seed: string) => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => random.bits());
  };
  expect(new Set(draw('a')).size).toBe(1);
  expect(sequence('a')).toEqual(sequence('a'));
  expect(sequence('a')).not.toEqual(sequence('b'));
});

it('draws whole numbers evenly below the bound', () => {
  const random = createRandom('even');
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) counts[random.int(10)]! += 1;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
});

it('draws items in proportion to their weights, and never one of weight zero', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }), (weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      fc.pre(total > 0);
      const random = createRandom(`weights ${weights}`);
      const draw = weighted(
        weights.map((_weight, index) => index),
        (_item, index) => weights[index]!,
      );
      const counts = weights.map(() => 0);
      for (let i = 0; i < 8_000; i++) counts[draw(random)]! += 1;
      weights.forEach((weight, index) => {
        const expected = (8_000 * weight) / total;
        if (weight === 0) expect(counts[index]).toBe(0);
        else expect(Math.abs(counts[index]! - expected)).toBeLessThan(6 * Math.sqrt(expected) + 10);
      });
    }),
    { numRuns: 60 },
  );
});

it('shuffles without losing or doubling anything', () => {
  const items = Array.from({ length: 500 }, (_, index) => index);
  const order = shuffled(items, createRandom('shuffle'));
  expect(order).not.toEqual(items);
  expect([...order].sort((a, b) => a - b)).toEqual(items);
});
