import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../durations.js';
import { previousWindow, rollingWindow } from './scope.js';

const NOW = Date.UTC(2026, 10, 28, 14, 37, 21, 123);

describe('a rolling window', () => {
  test('and the one before have exactly the requested length and follow one another', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8_760 }),
        fc.integer({ min: NOW, max: NOW + 3 * DAY_MS }),
        (hours, now) => {
          const window = rollingWindow(hours * HOUR_MS, now);
          const before = previousWindow(window);
          expect(window.end - window.start).toBe(hours * HOUR_MS);
          expect(before.end - before.start).toBe(hours * HOUR_MS);
          expect(before.end).toBe(window.start);
        },
      ),
    );
  });

  test('contains the current millisecond and ends with its minute, or its ten seconds below a day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: NOW, max: NOW + DAY_MS }),
        (hours, now) => {
          const unit = hours < 24 ? 10 * SECOND_MS : MINUTE_MS;
          const { end } = rollingWindow(hours * HOUR_MS, now);
          expect(end % unit).toBe(0);
          expect(end).toBeGreaterThan(now);
          expect(end - now).toBeLessThanOrEqual(unit);
        },
      ),
    );
  });

  test('shows no growth where the logs have none, in any minute', () => {
    const perHour = (at: number) => 100 + 60 * Math.sin((2 * Math.PI * at) / DAY_MS);
    const requestsIn = ({ start, end }: { start: number; end: number }) => {
      let sum = 0;
      for (let at = start; at < end; at += MINUTE_MS) sum += perHour(at) / 60;
      return sum;
    };
    fc.assert(
      fc.property(fc.integer({ min: NOW, max: NOW + DAY_MS }), (now) => {
        const window = rollingWindow(DAY_MS, now);
        const change = requestsIn(window) / requestsIn(previousWindow(window)) - 1;
        expect(Math.abs(change)).toBeLessThan(1e-9);
      }),
    );
  });
});
