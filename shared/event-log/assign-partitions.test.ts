import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignPartitions } from './assign-partitions.js';

const situation = fc
  .record({
    partitions: fc.integer({ min: 1, max: 40 }),
    before: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 }),
    after: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 8 }),
  })
  .map(({ partitions, before, after }) => ({
    partitions,
    after,
    current: assignPartitions(partitions, before, new Map()),
  }));

function share(assigned: ReadonlyMap<number, number>, member: number): number {
  return [...assigned.values()].filter((owner) => owner === member).length;
}

describe('assignPartitions', () => {
  it('assigns every partition to exactly one member, in shares that differ by at most one', () => {
    fc.assert(
      fc.property(situation, ({ partitions, after, current }) => {
        const assigned = assignPartitions(partitions, after, current);
        expect([...assigned.keys()].sort((a, b) => a - b)).toEqual([...Array(partitions).keys()]);
        const shares = after.map((member) => share(assigned, member));
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('takes only the excess over its share from a remaining member', () => {
    fc.assert(
      fc.property(situation, ({ partitions, after, current }) => {
        const assigned = assignPartitions(partitions, after, current);
        for (const member of after) {
          const before = [...current].filter(([, owner]) => owner === member).map(([partition]) => partition);
          const kept = before.filter((partition) => assigned.get(partition) === member).length;
          expect(kept).toBe(Math.min(before.length, share(assigned, member)));
        }
      }),
    );
  });

  it('changes nothing if no member joined or left', () => {
    const first = assignPartitions(7, [1, 2, 3], new Map());
    expect(assignPartitions(7, [1, 2, 3], first)).toEqual(first);
  });

  it('is empty without members', () => {
    expect(assignPartitions(3, [], new Map([[0, 1]])).size).toBe(0);
  });
});
