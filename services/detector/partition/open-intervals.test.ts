import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { fakeCore, START } from '../../../test/harness/detector/partition-world.js';
import { botOf, minuteOf } from '../../../test/harness/detector/signal.js';
import { takeSignal } from '../signals/website-signals.js';
import { counting, shortOf } from './open-intervals.js';
import { newTrackedWebsite } from './tracked-website.js';

const MIB = 1024 ** 2;

test('a partition is short of intervals by its own, and of weight by that of all of the replica', () => {
  expect(shortOf({ count: 5_000, weight: 128 * MIB }, [128 * MIB])).toBe(null);
  expect(shortOf({ count: 5_001, weight: 1 }, [1])).toBe('intervals');
  expect(shortOf({ count: 1, weight: 129 * MIB }, [129 * MIB])).toBe('weight');
  expect(shortOf({ count: 1, weight: 65 * MIB }, [65 * MIB, 64 * MIB])).toBe('weight');
});

test('a partition that has no more than its share is spared', () => {
  expect(shortOf({ count: 1, weight: 20 * MIB }, [120 * MIB, 20 * MIB])).toBe(null);
});

test('the sums follow what is taken in, and what a text that was cut weighs', () => {
  const sums = { count: 0, weight: 0 };
  const website = newTrackedWebsite(fakeCore, 'w');
  const byBot = [botOf({ sampleUserAgent: 'u'.repeat(300), samplePath: '\u0001'.repeat(300) })];
  const take = (token: string, minute: number) =>
    counting(sums, website, () =>
      takeSignal(website.signals, {
        ...{ token, websiteId: 'w', storedAt: START },
        minutes: [minuteOf({ minute: START - minute * MINUTE_MS, requests: 1, byBot })],
      }),
    );
  take('a/0/0', 5);
  const { weight } = sums;
  expect(sums.count).toBe(1);
  expect(weight).toBeGreaterThan(500);
  expect(weight).toBeLessThan(1_200);
  take('a/0/1', 5);
  expect(sums).toEqual({ count: 1, weight });
  take('a/0/2', 10);
  expect(sums).toEqual({ count: 2, weight: 2 * weight });
  take('a/0/2', 10);
  expect(sums).toEqual({ count: 2, weight: 2 * weight });
});
