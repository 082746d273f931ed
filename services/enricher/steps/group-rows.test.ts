import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupRows } from './group-rows.js';

const columns = fc
  .tuple(fc.nat(60), fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }))
  .chain(([rows, counts]) =>
    fc.record({
      rows: fc.constant(rows),
      columns: fc.tuple(
        ...counts.map((count) =>
          fc
            .array(fc.nat(count - 1), { minLength: rows, maxLength: rows })
            .map((ids) => ({ ids: Uint8Array.from(ids), count })),
        ),
      ),
    }),
  );

test('rows are in one group if and only if they are equal in all columns, and each group names one of its rows', () => {
  fc.assert(
    fc.property(columns, ({ rows, columns: given }) => {
      const grouped = groupRows(rows, given);
      const keyOf = (row: number) => given.map(({ ids }) => ids[row]).join();
      const groups = new Map<string, number>();
      for (let row = 0; row < rows; row += 1) {
        const group = grouped.ids[row]!;
        expect(group).toBe(groups.get(keyOf(row)) ?? group);
        groups.set(keyOf(row), group);
        expect(keyOf(grouped.rows[group]!)).toBe(keyOf(row));
      }
      expect(new Set(groups.values()).size).toBe(groups.size);
      expect(grouped.rows).toHaveLength(grouped.count);
      if (rows > 0) expect(Math.max(...grouped.ids)).toBeLessThan(grouped.count);
    }),
  );
});
