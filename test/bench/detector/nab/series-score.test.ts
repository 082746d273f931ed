import { describe, expect, it } from 'vitest';
import { INTERVAL_MS } from '../../../../services/detector/baselines/hours.js';
import { MONDAY, normal, seasonAt, seeded } from '../../../../services/detector/baselines/series.fixture.js';
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { newSeries, type SeriesState, scoreNext } from './series-score.js';

const day = (days: number) => MONDAY + days * DAY_MS;

/** The scores from day `from` on, of a daily rhythm with a tenth of noise. */
function scores(change: (time: number, value: number) => number, from: number, days: number): number[] {
  const random = seeded(3);
  const series = newSeries();
  const all: number[] = [];
  for (let start = MONDAY; start < day(days); start += INTERVAL_MS) {
    const value = change(start, 100 * seasonAt(start) * (1 + 0.1 * normal(random)));
    const score = scoreNext(series, { start, lasts: INTERVAL_MS, value });
    if (start >= day(from)) all.push(score);
  }
  return all;
}

describe('the score of a series', () => {
  const usual = Math.max(...scores((_, value) => value, 12, 14));

  it('is low of what goes on as before', () => {
    expect(usual).toBeLessThan(0.4);
  });

  it.each<[string, (time: number, value: number) => number]>([
    ['a spike', (time, value) => (time === day(13) ? 5 * value : value)],
    [
      'an outage',
      (time, value) => (time >= day(13) + 12 * HOUR_MS && time < day(13) + 14 * HOUR_MS ? 0 : value),
    ],
    ['a new level', (time, value) => (time >= day(13) ? 2 * value : value)],
    ['a night like a day', (time, value) => (time >= day(12.9) && time < day(13.3) ? 170 : value)],
  ])('is high of %s', (_, change) => {
    expect(Math.max(...scores(change, 12, 14))).toBeGreaterThan(1.3 * usual);
  });

  it('says a thing once', () => {
    const outage = (time: number, value: number) => (time >= day(13) && time < day(13.3) ? 0 : value);
    const high = scores(outage, 12, 14).filter((score) => score > 0.5);
    expect(high.length).toBeGreaterThan(0);
    expect(high.length).toBeLessThan(10);
  });

  it('is the same from the state as it was stored, which stays small', () => {
    const random = seeded(4);
    const direct = newSeries();
    let stored = newSeries();
    for (let start = MONDAY; start < day(10); start += INTERVAL_MS) {
      const next = { start, lasts: INTERVAL_MS, value: 50 * seasonAt(start) * Math.exp(normal(random)) };
      expect(scoreNext(stored, next)).toBe(scoreNext(direct, next));
      if (start % HOUR_MS === 0) stored = JSON.parse(JSON.stringify(stored)) as SeriesState;
    }
    expect(JSON.stringify(direct).length).toBeLessThan(40_000);
  });
});
