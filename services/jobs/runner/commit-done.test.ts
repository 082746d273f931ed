import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDoneRecords } from './commit-done.js';

test('a commit never passes a record that is under way, and reaches the end when all are done', () => {
  const orders = fc.integer({ min: 1, max: 20 }).chain((length) =>
    fc.shuffledSubarray(
      Array.from({ length }, (_, n) => 100 + n),
      { minLength: length, maxLength: length },
    ),
  );
  fc.assert(
    fc.property(orders, (order) => {
      const done = createDoneRecords();
      for (const offset of order.toSorted((a, b) => a - b)) done.begin(offset);
      const open = new Set(order);
      for (const offset of order) {
        open.delete(offset);
        expect(done.end(offset)).toBe(open.size === 0 ? 100 + order.length : Math.min(...open));
      }
    }),
  );
});
