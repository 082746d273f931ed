import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginsOnHours, dayInZone, daysBetween, isTimeZone, plusDays, startOfDay } from './zone-days.js';

describe('days of a time zone', () => {
  test.each([
    ['2026-11-21', '', '2026-11-21T00:00:00Z'],
    ['2026-11-21', 'America/Los_Angeles', '2026-11-21T08:00:00Z'],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00Z'],
    // Clock changes at 01:00 UTC.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00Z'],
  ])('begin at midnight on the zone’s clocks: %s in %s', (day, zone, start) => {
    expect(new Date(startOfDay(day, zone)).toISOString()).toBe(start.replace('Z', '.000Z'));
  });

  test('contain the instants that begin them', () => {
    const zones = ['', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), fc.constantFrom(...zones), (days, zone) => {
        const day = plusDays('2024-01-01', days);
        const start = startOfDay(day, zone);
        expect(dayInZone(start, zone)).toBe(day);
        expect(dayInZone(start - 1, zone)).toBe(plusDays(day, -1));
        expect(dayInZone(start + 59_999, zone)).toBe(day);
      }),
    );
  });

  test('names that are not a time zone are recognised', () => {
    expect(['Europe/Berlin', '', 'Mars/Base', "'; DROP TABLE"].map(isTimeZone)).toEqual([
      ...[true, false, false, false],
    ]);
    expect(beginsOnHours('Asia/Kolkata', 0)).toBe(false);
    expect(beginsOnHours('Europe/Berlin', Date.parse('2026-01-01'), Date.parse('2026-07-01'))).toBe(true);
    expect(daysBetween('2026-02-27', '2026-03-01')).toBe(2);
  });
});
