import { describe, expect, it } from 'vitest';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { MONDAY, normal, seasonAt, seeded } from '../../../test/harness/detector/series.js';
import { judge, learn, newBaseline } from '../baselines/baseline.js';

import { type Gauge, NOVEL, newGauge, scoreNext } from './gauge.js';

const day = (days: number) => MONDAY + days * DAY_MS;

/** Judges, scores and learns in the detector's order. */
function newSeries() {
  const baseline = newBaseline('mean');
  return (gauge: Gauge, start: number, value: number) => {
    const point = { start, end: start + INTERVAL_MS, value, samples: 1_000 };
    const judged = judge(baseline, point);
    const score = scoreNext(gauge, judged);
    learn(baseline, point, judged.status === 'critical');
    return score;
  };
}

/** The scores from day `from` on, for a daily pattern with noise of a tenth. */
function scores(change: (time: number, value: number) => number, from: number, days: number): number[] {
  const random = seeded(3);
  const gauge = newGauge();
  const next = newSeries();
  const all: number[] = [];
  for (let start = MONDAY; start < day(days); start += INTERVAL_MS) {
    const value = change(start, 100 * seasonAt(start) * (1 + 0.1 * normal(random)));
    const score = next(gauge, start, value);
    if (start >= day(from)) all.push(score);
  }
  return all;
}

describe('the score of a gauge', () => {
  it('stays zero while values continue as before', () => {
    expect(Math.max(...scores((_, value) => value, 12, 14))).toBeLessThan(NOVEL);
  });

  it.each<[string, (time: number, value: number) => number]>([
    ['a spike', (time, value) => (time === day(13) ? 5 * value : value)],
    [
      'an outage',
      (time, value) => (time >= day(13) + 12 * HOUR_MS && time < day(13) + 14 * HOUR_MS ? 0 : value),
    ],
    ['a new level', (time, value) => (time >= day(13) ? 2 * value : value)],
    ['a night like a day', (time, value) => (time >= day(12.9) && time < day(13.3) ? 170 : value)],
  ])('reports %s', (_, change) => {
    expect(Math.max(...scores(change, 12, 14))).toBeGreaterThan(NOVEL);
  });

  it('reports a change once', () => {
    const outage = (time: number, value: number) => (time >= day(13) && time < day(13.3) ? 0 : value);
    const news = scores(outage, 12, 14).filter((score) => score >= NOVEL);
    expect(news.length).toBeGreaterThan(0);
    expect(news.length).toBeLessThan(10);
  });

  it('is the same from the stored state, which stays small', () => {
    const random = seeded(4);
    const direct = newGauge();
    let stored = newGauge();
    const [nextDirect, nextStored] = [newSeries(), newSeries()];
    for (let start = MONDAY; start < day(10); start += INTERVAL_MS) {
      const value = 50 * seasonAt(start) * Math.exp(normal(random));
      expect(nextStored(stored, start, value)).toBe(nextDirect(direct, start, value));
      if (start % HOUR_MS === 0) stored = JSON.parse(JSON.stringify(stored)) as Gauge;
    }
    expect(JSON.stringify(direct).length).toBeLessThan(12_000);
  });
});
