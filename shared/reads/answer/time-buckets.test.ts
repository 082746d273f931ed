import { expect, test } from 'vitest';
import { rollingWindow } from '../sql/scope.js';
import { everyBucket, granularityOf, isPartial } from './time-buckets.js';

const hour = 3_600_000;
const start = Date.UTC(2026, 9, 31, 22, 0);
const requestsOf = (time: number, row: { requests: number } | undefined) => [time, row?.requests ?? 0];

test('hours without requests and partial hours at both ends are included', () => {
  const window = { start: start + 10 * 60_000, end: start + 3 * hour + 1 };
  const points = everyBucket(window, 'hour', [{ time: start + hour, requests: 7 }], requestsOf);
  expect(points).toEqual([
    [start, 0],
    [start + hour, 7],
    [start + 2 * hour, 0],
    [start + 3 * hour, 0],
  ]);
});

test('a window that ends on the hour does not touch the next one', () => {
  expect(everyBucket({ start, end: start + 2 * hour }, 'hour', [], requestsOf)).toHaveLength(2);
});

test('days are UTC days', () => {
  const points = everyBucket({ start, end: start + 3 * hour }, 'day', [], requestsOf);
  expect(points.map(([time]) => new Date(time!).toISOString())).toEqual([
    '2026-10-31T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
  ]);
});

test('the buckets that a rolling window cuts, and the current one, are partial until their end', () => {
  const now = start + 3 * hour - 1;
  const window = rollingWindow(24 * hour, now - 30 * 60_000);
  const partial = everyBucket(window, 'hour', [], (time) => isPartial(window, 'hour', time));
  expect(partial).toEqual([true, ...Array(23).fill(false), true]);
  const whole = rollingWindow(24 * hour, now);
  // It ends with the hour, which has not ended yet.
  expect(whole.end).toBe(start + 3 * hour);
  const last = everyBucket(whole, 'hour', [], (time) => isPartial(whole, 'hour', time));
  expect(last).toEqual([...Array(23).fill(false), true]);
  const ended = { start: whole.start, end: whole.end };
  expect(isPartial(ended, 'hour', start + 2 * hour)).toBe(false);
});

test('a week is shown by hour, and a longer window by day', () => {
  expect(granularityOf(rollingWindow(168 * hour, start))).toBe('hour');
  expect(granularityOf(rollingWindow(169 * hour, start))).toBe('day');
});
