import { expect, test } from 'vitest';
import { completeBuckets } from './complete-buckets.js';

const now = Date.parse('2026-11-28T12:40:00Z');
const hour = (at: number) => `2026-11-28T${String(at).padStart(2, '0')}:00:00Z`;
const own = (time: string) => time;
const hours = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => hour(from + index));
const complete = (buckets: string[], start: string, end: string) =>
  completeBuckets(buckets, own, { start, end }, now);

test('the buckets that a rolling window cuts are left out', () => {
  expect(complete(hours(6, 12), '2026-11-28T06:41:00Z', '2026-11-28T12:41:00Z')).toEqual(hours(7, 11));
});

test('the running bucket is left out, also in the minute before its end', () => {
  const last = Date.parse('2026-11-28T12:59:30Z');
  const window = { start: hour(6), end: hour(13) };
  expect(completeBuckets(hours(6, 12), own, window, last)).toEqual(hours(6, 11));
});

test('a window of whole buckets that ended is whole', () => {
  expect(complete(hours(6, 11), hour(6), hour(12))).toEqual(hours(6, 11));
});

test('days are left out likewise', () => {
  const days = ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'].map((day) => `${day}T00:00:00Z`);
  expect(complete(days, '2026-11-24T08:00:00Z', '2026-11-27T08:00:00Z')).toEqual(days.slice(1, 3));
});

test('a window of three buckets stays', () => {
  expect(complete(hours(10, 12), '2026-11-28T10:41:00Z', '2026-11-28T12:41:00Z')).toHaveLength(3);
});
