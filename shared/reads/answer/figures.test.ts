import { expect, test } from 'vitest';
import { averageTimeMs, changePct, compareSince, percentOf } from './figures.js';

test('a share of zero is 0; other shares have two digits', () => {
  expect(percentOf(0, 0)).toBe(0);
  expect(percentOf(1, 3)).toBe(33.33);
});

test('a change is null, not zero or infinite, if the earlier figure is zero or unknown', () => {
  expect(changePct(5, 0)).toBeNull();
  expect(changePct(5, null)).toBeNull();
  expect(changePct(null, 5)).toBeNull();
  expect(changePct(0, 5)).toBe(-100);
  expect(changePct(15, 10)).toBe(50);
});

test('a share of an empty whole has no change', () => {
  const change = compareSince(0, { start: 0 });
  expect(change.points(4, 0, 0)).toBeNull();
  expect(change.points(4, 0, 1)).toBe(4);
  expect(compareSince(null, { start: 0 }).points(4, 1, 1)).toBeNull();
});

test('the mean time is null without timed requests', () => {
  expect(averageTimeMs({ time_taken_ms: 0, timed_requests: 0 })).toBeNull();
  expect(averageTimeMs({ time_taken_ms: 10, timed_requests: 4 })).toBe(2.5);
});
