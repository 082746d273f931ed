import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL_MS, WARNING_Z } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import {
  MONDAY,
  normal,
  play,
  poisson,
  seasonAt,
  seeded,
  shareBeyond,
  type Tally,
} from '../../../test/harness/detector/series.js';
import { judge, learn, maturityOf, newBaseline } from './baseline.js';

import type { BaselineKind } from './state.js';

const day = (days: number) => MONDAY + days * DAY_MS;
const week = (weeks: number) => day(7 * weeks);

/** Windows with an alarm status, as a share of all windows. */
function alarms({ judged }: Tally, after: number, until = Number.POSITIVE_INFINITY): number {
  const windows = judged.filter(({ start }) => start >= after && start < until);
  return windows.filter(({ judgement }) => judgement.status !== 'normal').length / windows.length;
}

describe('false alarms of single 5-minute windows, in the fifth and sixth week', () => {
  // For a normal distribution, |z| ≥ 2 in 4.6 %, 3 in 0.27 %, 3.5 in 0.047 %.
  it.each([0.02, 0.2, 1, 3, 20, 200, 5_000])(
    'are as rare as computed, for Poisson with %d an interval',
    (rate) => {
      const random = seeded(11);
      const played = play((time) => poisson(random, rate * seasonAt(time)), 42);
      expect(shareBeyond(played, 2, week(4))).toBeLessThan(0.055);
      expect(shareBeyond(played, 3, week(4))).toBeLessThan(0.005);
      expect(shareBeyond(played, WARNING_Z, week(4))).toBeLessThan(0.0015);
      expect(alarms(played, week(4))).toBeLessThan(0.0015);
    },
  );

  it('are below 2 % for noise with heavy tails, and below 1 % for noise that lasts an hour', () => {
    const random = seeded(12);
    const heavy = play((time) => poisson(random, 100 * seasonAt(time) * Math.exp(0.3 * normal(random))), 42);
    expect(shareBeyond(heavy, WARNING_Z, week(4))).toBeLessThan(0.02);
    let drift = 0;
    const lasting = play((time) => {
      drift = 0.95 * drift + Math.sqrt(1 - 0.95 ** 2) * 0.2 * normal(random);
      return poisson(random, 100 * seasonAt(time) * Math.exp(drift));
    }, 42);
    expect(shareBeyond(lasting, WARNING_Z, week(4))).toBeLessThan(0.01);
  });

  it('do not result from a trend of a tenth a week', () => {
    const random = seeded(13);
    const grown = play(
      (time) => poisson(random, 100 * seasonAt(time) * 1.1 ** ((time - MONDAY) / (7 * DAY_MS))),
      42,
    );
    expect(alarms(grown, week(4))).toBeLessThan(0.005);
  });

  it('are few in the first two weeks, although nothing is known about a first Saturday', () => {
    const random = seeded(14);
    const young = play((time) => poisson(random, 200 * seasonAt(time)), 14);
    expect(alarms(young, day(1), week(2))).toBeLessThan(0.005);
  });
});

describe('anomalies', () => {
  const steady = (seed: number, change: (time: number) => number) => {
    const random = seeded(seed);
    return (time: number) => poisson(random, 100 * seasonAt(time) * change(time));
  };

  it('include an outage on all of its day, which is not learned', () => {
    const isOut = (time: number) => time >= day(30) && time < day(31);
    const played = play(
      steady(21, (time) => (isOut(time) ? 0 : 1)),
      35,
    );
    expect(alarms(played, day(30), day(31))).toBeGreaterThan(0.95);
    expect(alarms(played, day(31))).toBeLessThan(0.005);
  });

  it('include a doubling, which becomes normal on the fourth day', () => {
    const played = play(
      steady(22, (time) => (time >= day(30) ? 2 : 1)),
      40,
    );
    expect(alarms(played, day(30), day(33))).toBeGreaterThan(0.8);
    expect(alarms(played, day(34))).toBeLessThan(0.005);
  });

  it('include a new nightly peak, which becomes normal too, without a change of the level', () => {
    const isPeak = (time: number) => time >= day(30) && (time % DAY_MS) / HOUR_MS < 1;
    const played = play(
      steady(23, (time) => (isPeak(time) ? 8 : 1)),
      40,
    );
    expect(alarms(played, day(30), day(31)) * 24).toBeGreaterThan(0.9);
    expect(alarms(played, day(35))).toBeLessThan(0.005);
    expect(played.baseline.profile.level).toBeGreaterThan(0.9);
    expect(played.baseline.profile.level).toBeLessThan(1.1);
  });

  it('do not include hours without data, if only the days are delivered', () => {
    const random = seeded(26);
    const isDay = (time: number) => time % DAY_MS >= 9 * HOUR_MS && time % DAY_MS < 18 * HOUR_MS;
    const shape = (time: number) => 100 + 20 * ((time % DAY_MS) / HOUR_MS - 9);
    const played = play((time) => (isDay(time) ? poisson(random, shape(time)) : undefined), 28);
    expect(alarms(played, day(14))).toBeLessThan(0.005);
    expect(played.baseline.profile.season[9 + 24 * 4]! / 12).toBeCloseTo(110, -1);
  });

  it('do not include the time after a gap in delivery, which is not a zero', () => {
    const value = steady(24, () => 1);
    const played = play((time) => (time >= day(20) && time < day(23) ? undefined : value(time)), 30);
    expect(alarms(played, day(23))).toBeLessThan(0.005);
  });

  it('include a burst of very rare events, but not a few hits', () => {
    const random = seeded(25);
    const { baseline } = play((time) => poisson(random, 0.02 * seasonAt(time)), 28);
    const at = (value: number) =>
      judge(baseline, { start: day(28), end: day(28) + INTERVAL_MS, value, samples: value });
    expect(at(4).status).toBe('normal');
    expect(at(30).status).toBe('critical');
    expect(at(0)).toMatchObject({ status: 'normal' });
  });
});

describe('means', () => {
  const trials = (time: number) => Math.max(1, Math.round(100 * seasonAt(time)));

  it('judge an average by the number of its requests, from ten on', () => {
    const random = seeded(32);
    const latency = (time: number) => {
      let sum = 0;
      for (let n = 0; n < trials(time); n += 1) sum += 100 * Math.exp(0.8 * normal(random));
      return sum / trials(time);
    };
    const played = play(latency, 28, newBaseline('mean'), trials);
    expect(alarms(played, week(2))).toBeLessThan(0.01);
    const at = (value: number, samples: number) =>
      judge(played.baseline, { start: day(28), end: day(28) + INTERVAL_MS, value, samples }).status;
    expect([at(1_000, 9), at(1_000, 200), at(145, 200), at(10, 200)]).toEqual([
      'normal',
      'critical',
      'normal',
      'normal',
    ]);
  });
});

describe('maturity', () => {
  it('grows with learned data, not with time', () => {
    const baseline = newBaseline('count');
    expect(maturityOf(baseline)).toEqual({ status: 'building', observations: 0 });
    const statuses = [0.5, 2, 13, 15].map((days) => maturityOf(play(() => 40, days).baseline).status);
    expect(statuses).toEqual(['building', 'warming_up', 'warming_up', 'mature']);
    const gappy = play((time) => (time < day(1) || time >= day(20) ? 40 : undefined), 21).baseline;
    expect(maturityOf(gappy)).toEqual({ status: 'warming_up', observations: 2 * 288 });
  });

  it('reports nothing on the first day, for any values', () => {
    const { judged } = play((time) => (time > MONDAY + 10 * HOUR_MS ? 10_000 : 1), 1);
    expect(new Set(judged.map(({ judgement }) => judgement.status))).toEqual(new Set(['insufficient_data']));
    expect(judged.every(({ judgement }) => judgement.z === 0)).toBe(true);
  });
});

describe('the state', () => {
  const point = fc.record({
    skip: fc.integer({ min: 0, max: 40 }),
    value: fc.oneof(fc.nat(5), fc.nat(100_000), fc.constant(0), fc.double({ min: 0, max: 1e9, noNaN: true })),
    samples: fc.nat(1_000),
    isAnomalous: fc.boolean(),
  });
  const series = fc.array(point, { minLength: 1, maxLength: 400 });
  const kind = fc.constantFrom<BaselineKind>('count', 'mean');

  it('is finite, and the same after a round trip through JSON, for any input', () => {
    fc.assert(
      fc.property(kind, series, (of, points) => {
        let direct = newBaseline(of);
        let stored = newBaseline(of);
        let start = MONDAY;
        for (const { skip, value, samples, isAnomalous } of points) {
          start += INTERVAL_MS * (1 + (skip > 30 ? skip * 20 : 0));
          const window = { start, end: start + INTERVAL_MS * (1 + (skip % 12)), value, samples };
          const answer = judge(direct, window);
          expect([answer.mean, answer.std, answer.z].every(Number.isFinite)).toBe(true);
          expect(answer.std).toBeGreaterThanOrEqual(0);
          expect(judge(stored, window)).toEqual(answer);
          learn(direct, { start, value, samples }, isAnomalous);
          learn(stored, { start, value, samples }, isAnomalous);
          stored = JSON.parse(JSON.stringify(stored));
        }
        direct = JSON.parse(JSON.stringify(direct));
        expect(stored).toEqual(direct);
      }),
      { numRuns: 40, seed: 20_261_122 },
    );
  });

  it('ignores values that are not numbers, and late ones', () => {
    const { baseline } = play(() => 40, 2);
    const before = JSON.stringify(baseline);
    learn(baseline, { start: day(2), value: Number.NaN, samples: 1 }, false);
    learn(baseline, { start: day(2), value: -1, samples: 1 }, false);
    learn(baseline, { start: day(0), value: 7, samples: 7 }, false);
    expect(JSON.stringify(baseline)).toBe(before);
  });

  it('has the same z if all values are twenty times as large', () => {
    const values = (scale: number) => {
      const random = seeded(41);
      return play((time) => scale * (1_000 * seasonAt(time) * Math.exp(0.2 * normal(random))), 21);
    };
    const [one, twenty] = [values(1), values(20)];
    const far = one.judged.filter(({ start }) => start > week(2)).map(({ judgement }) => judgement.z);
    const same = twenty.judged.filter(({ start }) => start > week(2)).map(({ judgement }) => judgement.z);
    const off = far.map((z, index) => Math.abs(z - same[index]!));
    expect(Math.max(...off)).toBeLessThan(0.5);
  });

  it('is small', () => {
    const random = seeded(42);
    const noisy = () => random() * 1e6;
    expect(JSON.stringify(play(noisy, 40).baseline).length).toBeLessThan(12_000);
    expect(JSON.stringify(play(noisy, 40, newBaseline('mean'), noisy).baseline).length).toBeLessThan(20_000);
  });
});
