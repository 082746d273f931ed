import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normal, seeded } from '../../../test/harness/detector/series.js';
import { nothingSeen, noveltyOf, remember, type Seen } from './novelty.js';

function seen(values: readonly number[]): Seen {
  const sketch = nothingSeen();
  for (const value of values) remember(sketch, value);
  return sketch;
}

const ramp = Array.from({ length: 1_000 }, (_, index) => index % 100);

describe('novelty', () => {
  it('is zero for seen values, and grows with the distance from them', () => {
    const sketch = seen([...ramp, 500]);
    expect(noveltyOf(sketch, 42)).toBeLessThan(0.01);
    expect(noveltyOf(sketch, 500)).toBe(0);
    const [near, far, further] = [150, 300, 1_000].map((value) => noveltyOf(sketch, value)) as [
      number,
      number,
      number,
    ];
    expect(near).toBeGreaterThan(0.1);
    // Halfway to the outlier is furthest from both.
    expect(far).toBeGreaterThan(near);
    expect(further).toBeGreaterThan(far);
  });

  it('is zero until enough values were seen', () => {
    expect(noveltyOf(seen([1, 2, 3]), 1e9)).toBe(0);
  });

  it('does not depend on the unit or on an offset', () => {
    const random = seeded(5);
    const values = Array.from({ length: 3_000 }, () => normal(random));
    const plain = seen(values);
    const other = seen(values.map((value) => 1_000 * value + 7));
    for (const value of [-6, 0, 4, 8])
      expect(noveltyOf(other, 1_000 * value + 7)).toBeCloseTo(noveltyOf(plain, value), 2);
  });

  it('detects a step after constant values', () => {
    expect(noveltyOf(seen(new Array(100).fill(50)), 51)).toBeGreaterThan(1);
  });

  it('reports again a value that was seen once, long ago, but not a continuing one', () => {
    const weeks = 10_080;
    const going = (count: number) => Array.from({ length: count }, (_, index) => index % 100);
    expect(noveltyOf(seen([...going(5_000), 500, ...going(weeks)]), 500)).toBe(0);
    const later = seen([...going(5_000), 500, ...going(2 * weeks)]);
    expect(noveltyOf(later, 500)).toBeGreaterThan(1);
    expect(noveltyOf(later, 42)).toBeLessThan(0.01);
  });

  it('is bounded and finite for any values', () => {
    const value = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 1_500, minLength: 900 }), value, (values, next) => {
        const sketch = seen(values);
        expect(sketch.values.length).toBeLessThanOrEqual(200);
        expect(sketch.counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
        expect([...sketch.values].sort((a, b) => a - b)).toEqual(sketch.values);
        expect(Number.isFinite(noveltyOf(sketch, next))).toBe(true);
        expect(noveltyOf(JSON.parse(JSON.stringify(sketch)), next)).toBe(noveltyOf(sketch, next));
      }),
      { numRuns: 20, seed: 20_261_122 },
    );
  });
});
