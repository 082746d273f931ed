import { afterEach, expect, test } from 'vitest';
import { readDate } from './read-date.js';

const NOVEMBER_3 = Date.UTC(2026, 10, 3);
const HOUR = 3_600_000;
const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  ['2026', Date.UTC(2026, 0, 1)],
  ['2026-11', Date.UTC(2026, 10, 1)],
  ['2026-11-03', NOVEMBER_3],
  ['2026-11-03T10:00', NOVEMBER_3 + 10 * HOUR],
  ['2026-11-03T10:00:00', NOVEMBER_3 + 10 * HOUR],
  ['2026-11-03 10:00:00', NOVEMBER_3 + 10 * HOUR],
  ['2026-11-03T10:00:00.25', NOVEMBER_3 + 10 * HOUR + 250],
  ['2026-11-03T10:00:00.123456789Z', NOVEMBER_3 + 10 * HOUR + 123],
  ['2026-11-03T10:00:00z', NOVEMBER_3 + 10 * HOUR],
  ['2026-11-03T10:00:00+05:30', NOVEMBER_3 + 4.5 * HOUR],
  ['2026-11-03T10:00:00-0800', NOVEMBER_3 + 18 * HOUR],
  ['2015-12-22T05:31-01:00', Date.UTC(2015, 11, 22, 6, 31)],
  ['2011-08-23T13:15:00+0200', Date.UTC(2011, 7, 23, 11, 15)],
  ['2026-11-03T10:00:00+02', NOVEMBER_3 + 8 * HOUR],
  ['2026-11-03 10:00:00 UTC', NOVEMBER_3 + 10 * HOUR],
  ['2026-11-02T24:00:00Z', NOVEMBER_3],
  [' \n 2026-11-03 \t', NOVEMBER_3],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['Tue, 03 Nov 2026 10:00:00 GMT', NOVEMBER_3 + 10 * HOUR],
  ['Tue, 3 Nov 2026 10:00:00 +0100', NOVEMBER_3 + 9 * HOUR],
  ['03 Nov 26 10:00 EST', NOVEMBER_3 + 15 * HOUR],
  ['Tuesday, 03 November 2026 10:00:00', NOVEMBER_3 + 10 * HOUR],
  ['TUE, 03 NOVEMBER 2026 10:00:00', NOVEMBER_3 + 10 * HOUR],
  ['27 May 2026 10:00:00', Date.UTC(2026, 4, 27, 10)],
])('%s is an instant, in any time zone of the process', (text, expected) => {
  for (const TZ of ['UTC', 'America/New_York', 'Asia/Tokyo']) {
    process.env.TZ = TZ;
    expect(readDate(text)).toBe(expected);
  }
});

test.each([
  '',
  'yesterday',
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-11-31T10:00:00Z',
  '2026-11-03T24:00:01Z',
  '2026-11-03T25:00:00Z',
  '2026-11-03T10:60:00Z',
  '2026-11-03T10:00:00+24:00',
  '2026-11-03T10',
  '2011-08-21T01:25:00-0400-04:00',
  '2015-10-08T07:18:53.846344Z 2015-06-15T15:33:55.288302Z',
  '2026-1-3',
  '03/11/2026',
  '0001-01-01T00:00:00Z',
  '9999-12-31',
  '1770000000',
  'Tue, 31 Nov 2026 10:00:00 GMT',
  'Tue, 03 Foo 2026 10:00:00 GMT',
  '27 Junk 2026 10:00:00 GMT',
  '27 Mayhem 2026 10:00:00 GMT',
  '27 Novem 2026 10:00:00 GMT',
  '27 Sept. 2026 10:00:00 GMT',
  '27 Decembers 2026 10:00:00 GMT',
  'Monster, 03 Nov 2026 10:00:00 GMT',
  '2'.repeat(1_000),
])('%j is not a date', (text) => {
  expect(readDate(text)).toBeNull();
});
