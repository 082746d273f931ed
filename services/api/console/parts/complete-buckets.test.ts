import { expect, test } from 'vitest';
import { completeBuckets } from './complete-buckets.js';

const now = Date.parse('2026-11-28T12:40:00Z');
const hour = (at: number) => `2026-11-28T${at}:00:00Z`;
const own = (time: string) => time;

test('the running bucket is left out', () => {
  expect(completeBuckets([hour(10), hour(11), hour(12)], own, now)).toEqual([hour(10), hour(11)]);
});

test('a window that ended is whole', () => {
  expect(completeBuckets([hour(9), hour(10), hour(11)], own, now)).toHaveLength(3);
});

test('a window of two buckets stays', () => {
  expect(completeBuckets([hour(11), hour(12)], own, now)).toHaveLength(2);
});
