import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.js';
import { spansOf } from './spans.js';

const DAY = 20_000 * DAY_MS;
const large = { isLarge: true };
const lengths = (start: number, end: number, running = false) =>
  spansOf(large, { start, end, running }, false)!.map(({ start: from, unit }) => [
    (from - DAY) / HOUR_MS,
    unit / HOUR_MS,
  ]);

test('complete days of a large rollup are days, and the others hours', () => {
  expect(lengths(DAY - HOUR_MS, DAY + 2 * DAY_MS + HOUR_MS)).toEqual([
    [-1, 1],
    [0, 24],
    [24, 24],
    [48, 1],
  ]);
});

test('a running window reads no day that may still change', () => {
  const end = DAY + 2 * DAY_MS + 2 * HOUR_MS + MINUTE_MS;
  const units = lengths(DAY - 2 * DAY_MS, end, true).map(([, unit]) => unit);
  expect(units.filter((unit) => unit === 24).length).toBe(3);
  // The last day, and the hours of the next one.
  expect(units.filter((unit) => unit === 1).length).toBe(24 + 3);
});

test('every bucket is covered once', () => {
  const window = { start: DAY + 90 * MINUTE_MS, end: DAY + 5 * DAY_MS + 7 * MINUTE_MS };
  const spans = spansOf(large, window, true)!;
  const covered = spans.reduce((sum, { unit, from, to }) => sum + (to - from) * unit, 0);
  expect(covered).toBe(2 * (window.end - window.start));
});
