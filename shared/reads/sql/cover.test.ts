import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverWindow, type Tier } from './cover.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const origin = Date.UTC(2026, 9, 28);
const unit = { raw: 1, hour: HOUR, day: DAY };

const tierSets: Tier[][] = [['raw'], ['hour', 'raw'], ['day', 'hour', 'raw']];

/** Windows of any length from a millisecond to months; many have an edge on a whole hour or day. */
const windows = fc
  .tuple(
    fc.integer({ min: 0, max: 90 * DAY }),
    fc.integer({ min: 1, max: 90 * DAY }),
    fc.constantFrom(1, HOUR, DAY),
    fc.constantFrom(1, HOUR, DAY),
  )
  .map(([from, length, startUnit, endUnit]) => {
    const start = origin + Math.floor(from / startUnit) * startUnit;
    const end = Math.floor((start + length) / endUnit) * endUnit;
    return { start, end: Math.max(end, start + 1) };
  });

describe('coverWindow', () => {
  test('pieces follow one another without gap or overlap from start to end', () => {
    fc.assert(
      fc.property(windows, fc.constantFrom(...tierSets), (window, tiers) => {
        const pieces = coverWindow(window, tiers);
        expect(pieces[0]?.start).toBe(window.start);
        expect(pieces.at(-1)?.end).toBe(window.end);
        for (const [index, piece] of pieces.entries()) {
          expect(piece.start).toBeLessThan(piece.end);
          if (index > 0) expect(piece.start).toBe(pieces[index - 1]?.end);
        }
      }),
    );
  });

  test('each piece has an available tier and begins and ends on its whole units', () => {
    fc.assert(
      fc.property(windows, fc.constantFrom(...tierSets), (window, tiers) => {
        for (const { tier, start, end } of coverWindow(window, tiers)) {
          expect(tiers).toContain(tier);
          expect(start % unit[tier]).toBe(0);
          expect(end % unit[tier]).toBe(0);
        }
      }),
    );
  });

  test('raw rows cover no whole hour, and hours cover no two whole days', () => {
    const holdsWhole = (start: number, end: number, unit: number, most = 0) =>
      Math.floor(end / unit) - Math.ceil(start / unit) > most;
    fc.assert(
      fc.property(windows, (window) => {
        for (const { tier, start, end } of coverWindow(window, ['day', 'hour', 'raw'])) {
          if (tier === 'raw') expect(holdsWhole(start, end, HOUR)).toBe(false);
          if (tier === 'hour') expect(holdsWhole(start, end, DAY, 1)).toBe(false);
        }
      }),
    );
  });

  test('in a running window the current bucket counts as whole, and no raw rows are read at the end', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const running = coverWindow({ ...window, running: true }, ['day', 'hour', 'raw']);
        const ended = coverWindow({ start: window.start, end: Math.ceil(window.end / HOUR) * HOUR }, [
          'hour',
          'raw',
        ]);
        const days = running.filter(({ tier }) => tier === 'day');
        expect(running[0]?.start).toBe(window.start);
        for (const [index, piece] of running.entries())
          if (index > 0) expect(piece.start).toBe(running[index - 1]?.end);
        if (ended.some(({ tier }) => tier === 'hour')) {
          expect(running.at(-1)?.tier).not.toBe('raw');
          expect(running.at(-1)!.end).toBeGreaterThanOrEqual(window.end);
        }
        for (const { end } of days) expect(end - window.end).toBeLessThan(DAY);
      }),
    );
  });

  test('a window without a whole hour is read from raw rows in one piece', () => {
    const start = origin + 30 * 60_000;
    expect(coverWindow({ start, end: start + 20 * 60_000 }, ['hour', 'raw'])).toEqual([
      { tier: 'raw', start, end: start + 20 * 60_000 },
    ]);
    expect(coverWindow({ start, end: start + 50 * 60_000 }, ['hour', 'raw'])).toHaveLength(1);
  });

  test('a long window is covered by days in the middle', () => {
    const window = { start: origin + 90 * 60_000, end: origin + 3 * DAY + 61 * 60_000 };
    expect(coverWindow(window, ['day', 'hour', 'raw']).map(({ tier }) => tier)).toEqual([
      'raw',
      'hour',
      'day',
      'hour',
      'raw',
    ]);
  });
});
