import { expect, test } from 'vitest';
import { readRange } from './byte-range.js';

test.each([
  [undefined, null],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=5-99', { start: 5, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=6-5', null],
  ['bytes=0-1,3-4', null],
  ['bytes=-', null],
  ['lines=0-1', null],
])('%s of ten bytes', (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});

test('an empty file has no range', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readRange('bytes=-5', 0)).toBe('unsatisfiable');
});
