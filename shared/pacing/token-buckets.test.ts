import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/harness/runs.js';
import { createTokenBuckets } from './token-buckets.js';

function setUp(rate: { perSecond: number; burst: number; mostKeys?: number }) {
  const clock = { now: 1_700_000_000_000 };
  return { clock, buckets: createTokenBuckets({ ...rate, now: () => clock.now }) };
}

describe('a bucket', () => {
  test('begins full, and returns the time until the next token', () => {
    const { clock, buckets } = setUp({ perSecond: 2, burst: 3 });
    expect([1, 2, 3, 4].map(() => buckets.take('w1'))).toEqual([true, true, true, false]);
    expect(buckets.delayMs('w1')).toBe(500);
    clock.now += 250;
    expect([buckets.take('w1'), buckets.delayMs('w1')]).toEqual([false, 250]);
    clock.now += 250;
    expect([buckets.delayMs('w1'), buckets.take('w1')]).toEqual([0, true]);
    expect(buckets.take('w2')).toBe(true);
  });

  test('lends missing tokens, and returns the time until the debt is paid', () => {
    const { clock, buckets } = setUp({ perSecond: 1_000, burst: 4_000 });
    expect(buckets.spend('w1', 4_000)).toBe(0);
    expect(buckets.spend('w1', 500)).toBe(500);
    expect(buckets.level('w1')).toBe(-500);
    clock.now += 250;
    expect(buckets.level('w1')).toBe(-250);
    expect(buckets.take('w1')).toBe(false);
    clock.now += 60_000;
    expect(buckets.level('w1')).toBe(4_000);
  });

  test('gains nothing when the clock is set back', () => {
    const { clock, buckets } = setUp({ perSecond: 1, burst: 1 });
    buckets.take('w1');
    clock.now -= 60_000;
    expect(buckets.take('w1')).toBe(false);
    clock.now += 500;
    expect(buckets.take('w1')).toBe(false);
  });

  test('is evicted if others were used since', () => {
    const { buckets } = setUp({ perSecond: 1, burst: 1, mostKeys: 2 });
    for (const key of ['a', 'b', 'c']) buckets.take(key);
    expect([buckets.take('c'), buckets.take('b'), buckets.take('a')]).toEqual([false, false, true]);
  });
});

test('the burst and the rate bound every period, and a caller that waits as indicated is admitted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.array(fc.record({ pause: fc.nat(3_000), tokens: fc.integer({ min: 1, max: 500 }) }), {
        maxLength: 50,
      }),
      (perSecond, burst, steps) => {
        const { clock, buckets } = setUp({ perSecond, burst });
        const taken: { at: number; tokens: number }[] = [];
        for (const { pause, tokens } of steps) {
          clock.now += pause;
          if (buckets.take('k', tokens)) taken.push({ at: clock.now, tokens });
        }
        for (let from = 0; from < taken.length; from++) {
          let sum = 0;
          for (const { at, tokens } of taken.slice(from)) {
            sum += tokens;
            expect(sum).toBeLessThanOrEqual(burst + ((at - taken[from]!.at) / 1_000) * perSecond + 1e-6);
          }
        }
        clock.now += buckets.delayMs('k');
        expect(buckets.level('k')).toBeGreaterThanOrEqual(1 - 1e-6);
        clock.now += buckets.spend('k', 2 * burst);
        expect(buckets.level('k')).toBeGreaterThanOrEqual(-1e-6);
      },
    ),
    { numRuns: runs(100) },
  );
});
