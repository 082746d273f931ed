import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentRules } from '../../../../shared/reads/sql/segment-conditions.js';
import { inRuleBatches } from './segments-breakdown-sql.js';

const bytesOf = (batch: readonly SegmentRules[]) =>
  batch
    .flatMap(({ rules, excludeRules }) => [...rules, ...excludeRules])
    .reduce((bytes, { value }) => bytes + Buffer.byteLength(value), 0);

const rules = fc.array(
  fc.record({
    type: fc.constant('exact' as const),
    value: fc
      .tuple(fc.constantFrom('a', 'ü', '漢'), fc.integer({ min: 1, max: 1000 }))
      .map(([c, n]) => c.repeat(n)),
  }),
  { maxLength: 30 },
);

test('segments keep their order, in batches within the limit unless a single segment exceeds it', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ rules, excludeRules: rules }), { maxLength: 40 }), (segments) => {
      const batches = inRuleBatches(segments);
      expect(batches.flat()).toEqual(segments);
      expect(batches.length).toBeGreaterThan(0);
      for (const batch of batches) {
        if (batch.length > 1) expect(bytesOf(batch)).toBeLessThanOrEqual(100_000);
        if (batches.length > 1) expect(batch.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('a hundred segments of ordinary rules are one scan', () => {
  const segment = {
    rules: Array.from({ length: 10 }, (_, index) => ({
      type: 'prefix' as const,
      value: `/section-${index}/`,
    })),
    excludeRules: [],
  };
  expect(inRuleBatches(Array.from({ length: 100 }, () => segment))).toHaveLength(1);
});

test('each batch starts empty', () => {
  const segment = {
    rules: Array.from({ length: 13 }, () => ({ type: 'exact' as const, value: 'x'.repeat(3000) })),
    excludeRules: [],
  };
  const batches = inRuleBatches(Array.from({ length: 6 }, () => segment));
  expect(batches.map((batch) => batch.length)).toEqual([2, 2, 2]);
});
