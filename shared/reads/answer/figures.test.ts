import { expect, test } from 'vitest';
import { averageTimeMs, changePct, compareSince, percentOf } from './figures.js';

test('a share of nothing is 0 and has two digits otherwise', () => {
  expect(percentOf(0, 0)).toBe(0);
  expect(percentOf(1, 3)).toBe(33.33);
});

test('a change against nothing or against the unknown is unknown, not zero or infinite', () => {
  expect(changePct(5, 0)).toBeNull();
  expect(changePct(5, null)).toBeNull();
  expect(changePct(null, 5)).toBeNull();
  expect(changePct(0, 5)).toBe(-100);
  expect(changePct(15, 10)).toBe(50);
});

test('a share that was of nothing has no change', () => {
  const change = compareSince(0, { start: 0 });
  expect(change.points(4, 0, 0)).toBeNull();
  expect(change.points(4, 0, 1)).toBe(4);
  expect(compareSince(null, { start: 0 }).points(4, 1, 1)).toBeNull();
});

test('the mean time of untimed requests is unknown', () => {
  expect(averageTimeMs({ time_taken_ms: 0, timed_requests: 0 })).toBeNull();
  expect(averageTimeMs({ time_taken_ms: 10, timed_requests: 4 })).toBe(2.5);
});
