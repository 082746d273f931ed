import { expect, test } from 'vitest';
import { everyBucket } from './time-buckets.js';

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
