import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { nextRunAt } from './schedule.js';

const NOW = Date.UTC(2026, 10, 21);
const job = { name: 'sitemaps', everyMs: DAY_MS };
const done = (at: number) => ({ startedAt: at, finishedAt: at + 1_000, failures: 0 });

test('a job that never ran is due', () => {
  expect(nextRunAt(job, 'w', null)).toBeLessThanOrEqual(NOW);
});

test('two runs are at least half an interval and at most one and a half intervals apart', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: DAY_MS }), (websiteId, into) => {
      const wait = nextRunAt(job, websiteId, done(NOW + into)) - (NOW + into);
      expect(wait).toBeGreaterThanOrEqual(DAY_MS / 2);
      expect(wait).toBeLessThan(1.5 * DAY_MS);
    }),
  );
});

test('a website runs at the same moment each day', () => {
  const first = nextRunAt(job, 'web_1', done(NOW));
  expect(nextRunAt(job, 'web_1', done(first + 5_000))).toBe(first + DAY_MS);
});

test('websites are spread over the day, and so are the jobs of one website', () => {
  const hours = Array.from({ length: 2_400 }, (_, n) =>
    Math.floor((nextRunAt(job, `web_${n}`, done(NOW)) % DAY_MS) / (DAY_MS / 24)),
  );
  const perHour = Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length);
  expect(Math.min(...perHour)).toBeGreaterThan(50);
  expect(Math.max(...perHour)).toBeLessThan(200);
  expect(nextRunAt({ ...job, name: 'robots' }, 'web_1', done(NOW))).not.toBe(
    nextRunAt(job, 'web_1', done(NOW)),
  );
});

test('waits after failures double, up to the interval', () => {
  const waits = [1, 2, 3, 7, 8, 2_000].map(
    (failures) => nextRunAt(job, 'w', { ...done(NOW), failures }) - (NOW + 1_000),
  );
  expect(waits).toEqual([15, 30, 60, 960, 1_440, 1_440].map((minutes) => minutes * MINUTE_MS));
});
