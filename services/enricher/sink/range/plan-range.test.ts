import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  doneCommit,
  type Plan,
  planCommit,
  readPlan,
  UnknownPlanError,
} from '../../../../shared/requests/range-plan.js';
import { closeRange } from './plan-range.js';

describe('a plan', () => {
  test('is read back from its commit unchanged, within the port’s 4,096 characters', () => {
    const plan: fc.Arbitrary<Plan> = fc
      .record({
        first: fc.nat(),
        span: fc.nat(9_999),
        mark: fc.oneof(fc.stringMatching(/^[0-9a-f]{32}$/), fc.uuid(), fc.string({ maxLength: 20 })),
        plannedAt: fc.nat(),
        left: fc.array(fc.nat(), { maxLength: 300 }),
      })
      .map(({ first, span, mark, plannedAt, left }) => ({
        first,
        last: first + span,
        mark,
        plannedAt,
        leftOut: new Set(left.map((offset) => first + (offset % (span + 1)))),
      }));
    fc.assert(
      fc.property(plan, (one) => {
        const commit = planCommit(one);
        expect(commit.metadata.length).toBeLessThanOrEqual(4_096);
        expect(commit.offset).toBe(one.first);
        expect(readPlan(commit)).toEqual(one);
      }),
    );
  });

  test('omits the left-out records if there are too many for the commit, since they are found again', () => {
    const leftOut = new Set([40_000]);
    const commit = planCommit({ first: 0, last: 40_000, mark: 'm', plannedAt: 0, leftOut });
    expect(commit.metadata.length).toBeLessThanOrEqual(4_096);
    expect(readPlan(commit)).toMatchObject({ last: 40_000, leftOut: new Set() });
  });

  test('does not exist if the range is done, or nothing was ever committed', () => {
    expect(readPlan(null)).toBeNull();
    expect(readPlan(doneCommit(8))).toBeNull();
  });

  test.each(['plan2:9:m:0:', 'plan1:9', 'something'])('of an unknown form is an error: %s', (metadata) => {
    expect(() => readPlan({ offset: 0, metadata })).toThrow(UnknownPlanError);
  });
});

describe('a range closes', () => {
  const bounds = { endsAtWeight: 10, mostRows: 15, maxBytes: 100, lingered: false };
  const record = (offset: number, rows: number, bytes: number, weight = rows) => ({
    ...{ offset, rows, weight, bytes },
  });

  test.each([
    ['not before it has its rows or bytes', [record(0, 9, 50)], null],
    ['at its rows', [record(0, 9, 1), record(1, 1, 1), record(2, 1, 1)], 2],
    ['at fewer rows where they weigh more', [record(0, 4, 1, 8), record(1, 1, 1, 2), record(2, 1, 1)], 2],
    ['before the record that takes it over its bytes', [record(0, 1, 60), record(1, 1, 60)], 1],
    ['at its bytes', [record(0, 1, 60), record(1, 1, 40), record(2, 1, 1)], 2],
    ['after a record that is larger than a range', [record(0, 1, 500), record(1, 1, 1)], 1],
    [
      'at the most records that its plan can name',
      Array.from({ length: 10_001 }, (_, i) => record(i, 0, 0)),
      10_000,
    ],
  ])('%s', (_name, queue, expected) => {
    expect(closeRange(queue, null, bounds)).toBe(expected);
  });

  test('exactly as planned, regardless of its bytes', () => {
    const queue = [record(3, 1, 500), record(4, 1, 500), record(7, 1, 1)];
    expect(closeRange(queue.slice(0, 1), 5, bounds)).toBeNull();
    expect(closeRange(queue, 5, bounds)).toBe(2);
    expect(closeRange(queue, 7, bounds)).toBe(3);
  });
});
