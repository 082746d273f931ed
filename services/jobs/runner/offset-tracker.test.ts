import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOffsetTracker } from './offset-tracker.js';

test('a commit never passes a record that is under way, and reaches the end when all are done', () => {
  const orders = fc.integer({ min: 1, max: 20 }).chain((length) =>
    fc.shuffledSubarray(
      Array.from({ length }, (_, n) => 100 + n),
      { minLength: length, maxLength: length },
    ),
  );
  fc.assert(
    fc.property(orders, (order) => {
      const tracker = createOffsetTracker();
      for (const offset of order.toSorted((a, b) => a - b)) tracker.begin(offset);
      const open = new Set(order);
      for (const offset of order) {
        open.delete(offset);
        expect(tracker.end(offset)).toBe(open.size === 0 ? 100 + order.length : Math.min(...open));
      }
    }),
  );
});
