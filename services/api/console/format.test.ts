import { expect, test } from 'vitest';
import { axisTimes, change, countryName, duration, isInstant } from './format.js';

test.each([
  ['2026-11-27T16:00:00.000Z', true],
  ['2026-11-27T16:00Z', true],
  ['2026-11-27', false],
  ['2026-11-27T16:00:00+01:00', false],
  [1_700_000_000_000, false],
])('%s is a moment in UTC: %s', (value, is) => {
  expect(isInstant(value)).toBe(is);
});

test('a change above 999 is bounded with its sign before the number', () => {
  expect(change(4_000)).toBe('>+999 %');
  expect(change(-12.34)).toBe('−12.3 %');
});

test.each([
  [12_000, '12 s'],
  [240_000, '4 min'],
  [7_200_000, '2 h'],
  [3 * 86_400_000, '3 days'],
])('%i milliseconds are %s', (value, text) => {
  expect(duration(value)).toBe(text);
});

test('an axis names the day where it changes', () => {
  const hours = Array.from({ length: 4 }, (_, place) => new Date(2026, 10, 27, 12 * place).getTime());
  const [first, noon, next] = axisTimes(hours);
  expect(next).not.toBe(first);
  expect(noon).toMatch(/12/);
  expect(axisTimes([hours[0]!, hours[2]!])).toEqual([first, next]);
});

test('a code that is no country stays', () => {
  expect(countryName('DE')).toBe('Germany');
  expect(countryName('Nowhere')).toBe('Nowhere');
});
