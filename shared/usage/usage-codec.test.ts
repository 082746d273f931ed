import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usageBuckets } from './usage-bucket.js';
import { decodeUsage, encodeUsage } from './usage-codec.js';

const record = {
  replicaId: 'r1',
  counts: [
    { subjectId: 'org_1', bucket: 'requests', hourStart: 1_795_262_400_000, count: 7 },
    { subjectId: 'org_2', bucket: 'writes', hourStart: 1_795_262_400_000, count: 1 },
  ],
} as const;

const text = fc.string({ unit: 'binary', maxLength: 30 });
const anyRecord = fc.record({
  replicaId: text,
  counts: fc.array(
    fc.record({
      subjectId: text,
      bucket: fc.constantFrom(...usageBuckets),
      hourStart: fc.nat({ max: 2 ** 43 }),
      count: fc.nat({ max: 2 ** 31 - 1 }),
    }),
    { maxLength: 6 },
  ),
});

describe('usage codec', () => {
  test('round-trips', () => {
    fc.assert(
      fc.property(anyRecord, (each) => {
        expect(decodeUsage(encodeUsage(each))).toEqual(each);
      }),
    );
  });

  test('a bucket of a later release is skipped', () => {
    const value = Buffer.from(
      encodeUsage(record).toString('latin1').replace('requests', 'exports_'),
      'latin1',
    );
    expect(decodeUsage(value)).toEqual({ ...record, counts: [record.counts[1]] });
  });

  test.each([
    ['an unknown version', Buffer.from([2, 0, 0]), 'unknown schema id 2'],
    ['an empty value', Buffer.alloc(0), 'unknown schema id undefined'],
    ['a value cut short', encodeUsage(record).subarray(0, 12), 'truncated'],
  ])('%s is an error', (_what, value, message) => {
    expect(() => decodeUsage(value)).toThrow(message);
  });
});
