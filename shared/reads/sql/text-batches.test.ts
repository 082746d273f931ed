import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readByTexts, textBatches } from './text-batches.js';

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer({ min: 0, max: 8_192 }).map((length) => '漢'.repeat(length / 3)),
  ),
  { maxLength: 60 },
);

test('all texts are included once, and no statement exceeds the limit of the engine', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const batches = textBatches(given);
      expect(batches.flat()).toEqual(given);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(batch.join(''))).toBeLessThanOrEqual(40_000);
      }
    }),
  );
});

test('the rows of all batches are concatenated, and no statement is sent without texts', async () => {
  const many = Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(8_000, 'x'));
  const asked: number[] = [];
  const rows = await readByTexts(many, async (batch) => {
    asked.push(batch.length);
    return batch;
  });
  expect(rows).toEqual(many);
  expect(asked).toEqual([4, 4, 4, 4, 4, 4, 4, 2]);
  expect(await readByTexts([], () => Promise.reject(new Error('asked')))).toEqual([]);
});
