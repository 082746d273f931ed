import { expect, test } from 'vitest';
import { ageOf } from './age-of-line.js';

const now = Date.parse('2026-11-28T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const hours = (requests: number) => [{ time: minutesAgo(120), requests }];

test.each([
  ['a busy website after five minutes', 5, 2_000, 'good'],
  ['a busy website after forty minutes', 40, 2_000, 'warn'],
  ['a busy website after two hours', 120, 2_000, 'bad'],
  ['a website with a line every half hour after two hours', 120, 2, 'good'],
])('%s', (_, minutes, requests, tone) => {
  expect(ageOf(minutesAgo(minutes), hours(requests), now).tone).toBe(tone);
});

test('a website without any line', () => {
  expect(ageOf(null, [], now)).toEqual({ tone: 'bad', usual: null });
});
