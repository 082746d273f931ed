import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.js';

const NOW = Date.UTC(2026, 10, 22, 12, 30);

test.each<[string | string[] | undefined, number | null]>([
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Sun, 22 Nov 2026 12:30:09 GMT', 9_000],
  ['Sun, 22 Nov 2026 12:29:00 GMT', 0],
  ['Fri, 22 Nov 9999 12:30:00 GMT', Date.UTC(9999, 10, 22, 12, 30) - NOW],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['9'.repeat(100_000), null],
  [undefined, null],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['1e3', null],
  ['0x10', null],
  ['soon', null],
  ['Sun, 99 Nov 2026 99:30:09 GMT', null],
  ['2026-11-22T12:30:09Z', null],
  [['1', '2'], null],
])('Retry-After %j is %s ms', (header, asked) => {
  expect(readRetryAfter(header, NOW)).toBe(asked);
});

test('any header gives null or a wait of at least 0', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      const asked = readRetryAfter(header, NOW);
      return asked === null || asked >= 0;
    }),
  );
});

test('a date gives the time until it', () => {
  const times = fc.integer({ min: NOW / 1_000, max: Date.UTC(2099, 0) / 1_000 });
  fc.assert(
    fc.property(
      times,
      (time) => readRetryAfter(new Date(time * 1_000).toUTCString(), NOW) === time * 1_000 - NOW,
    ),
  );
});
