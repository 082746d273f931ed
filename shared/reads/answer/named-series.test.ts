import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnNames, namedSeries } from './named-series.js';

const HOUR = 3_600_000;
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'time_bucket', 'other', 'toString', 'GPTBot', ''),
  fc.string({ maxLength: 3 }),
);
const counts = fc.array(
  fc.record({ time: fc.integer({ min: 0, max: 4 }).map((hour) => hour * HOUR), name, count: fc.nat(9) }),
  { maxLength: 30 },
);

test('for any bot name, every count is in one column, and none replaces the time', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 3 }), (rows, most) => {
      const found = [...new Set(rows.map((row) => row.name))];
      const names = columnNames(found, ['time_bucket', 'other'], most);
      expect(names.length).toBeLessThanOrEqual(most);
      const chart = namedSeries({ window: { start: 0, end: 5 * HOUR }, granularity: 'hour' }, rows, {
        time: 'time_bucket',
        names,
        rest: 'other',
      });
      // The JSON that the caller receives.
      const points: Record<string, string | number>[] = JSON.parse(JSON.stringify(chart));
      expect(points).toHaveLength(5);
      points.forEach((row, hour) => {
        const fields = new Map(Object.entries(row));
        expect(fields.get('time_bucket')).toBe(new Date(hour * HOUR).toISOString());
        expect([...fields.keys()].sort()).toEqual(['time_bucket', 'other', ...names].sort());
        const own = rows.filter(({ time }) => time === hour * HOUR);
        const sum = (some: typeof rows) => some.reduce((total, { count }) => total + count, 0);
        for (const one of names) expect(fields.get(one)).toBe(sum(own.filter((row) => row.name === one)));
        expect(fields.get('other')).toBe(sum(own.filter((row) => !names.includes(row.name))));
      });
    }),
  );
});
