import fc from 'fast-check';
import { expect, it } from 'vitest';
import { figure, quantile } from './statistics.js';

it('uses the nearest rank for a quantile, in any order', () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.2, 0.21, 0.5, 0.99, 1].map((p) => quantile(values, p))).toEqual([1, 1, 2, 3, 5, 5]);
  expect(values).toEqual([5, 1, 4, 2, 3]);
  expect(quantile([], 0.5)).toBeNaN();
});

it('the quantile is one of the values, and at least the given share of the values are not above it', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(
      fc.array(finite, { minLength: 1 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, p) => {
        const found = quantile(values, p);
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(
          Math.ceil(p * values.length),
        );
      },
    ),
  );
});

it('prints large figures without and small ones with two decimals', () => {
  expect([12_345.678, 99.999, -123.4, 0, Number.NaN].map(figure)).toEqual([
    '12,346',
    '100.00',
    '-123',
    '0.00',
    'NaN',
  ]);
});
