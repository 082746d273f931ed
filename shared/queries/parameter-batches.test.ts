import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inBatches } from './parameter-batches.js';

test('every text is in one batch, in order, and no batch of several is longer than its statement takes', () => {
  const text = fc.string({ maxLength: 200, unit: 'grapheme' }).map((one) => one.repeat(40));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      const batches = inBatches(texts);
      expect(batches.flat()).toEqual(texts);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        if (batch.length > 1) expect(Buffer.byteLength(batch.join(''))).toBeLessThanOrEqual(40_000);
      }
    }),
  );
});

test('a hundred everyday paths are one batch', () => {
  expect(inBatches(Array.from({ length: 100 }, (_, index) => `/shop/product-${index}/details`))).toHaveLength(
    1,
  );
});
