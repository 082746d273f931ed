import { describe, expect, it } from 'vitest';
import { PublicError } from '../../../../shared/errors.js';
import { readTimezone } from './timezone.js';

const shown = Date.parse('2026-07-01T12:00:00Z');
const read = (zone: string) => readTimezone(new URLSearchParams({ timezone: zone }))(shown) - shown;

describe('a time without a zone', () => {
  it.each([
    ['', 0],
    ['Z', 0],
    ['+02:00', -2],
    ['-0330', 3.5],
    ['+14', -14],
    ['Europe/Berlin', -2],
    ['america/new_york', 4],
    ['Asia/Kathmandu', -5.75],
    ['UTC', 0],
  ])('is read by the zone %j', (zone, hours) => {
    expect(read(zone)).toBe(hours * 3_600_000);
  });

  it('uses the offset even if its plus sign was decoded to a space', () => {
    expect(readTimezone(new URLSearchParams('timezone=+02:00'))(shown) - shown).toBe(-7_200_000);
  });

  it('is read by the offset of its own day, after any other time', () => {
    const toInstant = readTimezone(new URLSearchParams({ timezone: 'Europe/Berlin' }));
    const read = (text: string) => new Date(toInstant(Date.parse(`${text}Z`))).toISOString().slice(0, 16);
    expect(read('2026-03-29T01:59')).toBe('2026-03-29T00:59');
    expect(read('2026-03-29T03:00')).toBe('2026-03-29T01:00');
    expect(read('2026-10-25T01:59')).toBe('2026-10-24T23:59');
    expect(read('2026-10-25T03:00')).toBe('2026-10-25T02:00');
    expect(toInstant(Number.NaN)).toBeNaN();
    expect(read('2026-03-29T01:59')).toBe('2026-03-29T00:59');
  });

  it.each(['Berlin', '+2', '+02:0x', '+15:00', '0', '__proto__', 'constructor', `${'A'.repeat(5_000)}`, '-'])(
    'is refused for the zone %j, which is none',
    (zone) => {
      expect(() => readTimezone(new URLSearchParams({ timezone: zone }))).toThrow(PublicError);
    },
  );
});
