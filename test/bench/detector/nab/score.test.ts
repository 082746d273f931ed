import { describe, expect, it } from 'vitest';
import type { Series } from './corpus.js';
import { countEvents, mostPrecise } from './events.js';
import { probationOf, profiles, scoreCorpus } from './score.js';

/**
 * 100 points, of which 15 are probation, with windows at 30 to 39 and 75 to 95 (as in NAB's
 * tests/integration/sweeper_test.py).
 */
const series: Series = {
  name: 'group/series.csv',
  times: Array.from({ length: 100 }, (_, place) => place * 300_000),
  values: new Array<number>(100).fill(1),
  windows: [
    [30, 39],
    [75, 95],
  ],
};

const scoresAt = (scores: Record<number, number>) => series.values.map((_, place) => scores[place] ?? 0);
const standard = (scores: Record<number, number>, threshold = 0.5) =>
  scoreCorpus([series], [scoresAt(scores)], profiles.standard, threshold).score;

/** NAB's scaled sigmoid. */
const sigmoid = (position: number) => 2 / (1 + Math.exp(5 * position)) - 1;
/** Two missed windows are -2, two windows found at their first points 2. */
const normalised = (raw: number) => (100 * (raw + 2)) / 4;

describe("NAB's score", () => {
  it('is 0 without detections and 100 for every window at its first point', () => {
    expect(standard({})).toBe(0);
    expect(standard({ 30: 1, 75: 1 })).toBeCloseTo(100, 10);
  });

  it('uses the earliest point of a window, with less score for a later one', () => {
    const half = -(39 - 35 + 1) / 10;
    expect(standard({ 35: 1, 38: 1 })).toBeCloseTo(normalised(sigmoid(half) / sigmoid(-1) - 1), 10);
    expect(standard({ 30: 1, 35: 1, 38: 1 })).toBeCloseTo(50, 10);
  });

  it('counts every false point, with lower cost soon after a window', () => {
    expect(standard({ 20: 1 })).toBeCloseTo(normalised(-2 - 0.11), 10);
    expect(standard({ 41: 1 })).toBeCloseTo(normalised(-2 + 0.11 * sigmoid((41 - 39) / 9)), 10);
    expect(standard({ 20: 1, 21: 1, 70: 1 })).toBeCloseTo(normalised(-2 - 0.33), 10);
  });

  it('ignores probation', () => {
    expect(standard({ 3: 1, 14: 1 })).toBe(0);
    expect(standard({ 15: 1 })).toBeLessThan(0);
    expect([probationOf(100), probationOf(4_032), probationOf(22_000)]).toEqual([15, 604, 750]);
  });

  it('has the costs of the profile', () => {
    const score = (profile: keyof typeof profiles) =>
      scoreCorpus([series], [scoresAt({ 20: 1, 30: 1 })], profiles[profile], 0.5).score;
    expect(score('standard')).toBeCloseTo((100 * (2 - 0.11)) / 4, 10);
    expect(score('reward_low_FP_rate')).toBeCloseTo((100 * (2 - 0.22)) / 4, 10);
    expect(score('reward_low_FN_rate')).toBeCloseTo((100 * (3 - 0.11)) / 6, 10);
  });

  it('finds the best threshold for the whole corpus', () => {
    const scores = [scoresAt({ 20: 0.3, 30: 0.6, 75: 0.4 }), scoresAt({ 20: 0.35, 30: 0.9 })];
    const best = scoreCorpus([series, series], scores, profiles.standard);
    expect(best.threshold).toBe(0.4);
    expect(best.score).toBeCloseTo(75, 10);
  });
});

describe('events', () => {
  it('are one if at most twelve samples are between false points', () => {
    const scores = [scoresAt({ 16: 1, 28: 1, 40: 1, 53: 1, 35: 1 })];
    expect(countEvents([series], scores, 0.5)).toMatchObject({
      windows: 2,
      found: 1,
      falseAlarms: 2,
      recall: 0.5,
    });
  });

  it('are counted at the most precise threshold with the recall', () => {
    const scores = [scoresAt({ 20: 0.7, 35: 0.9, 60: 0.3, 80: 0.5 })];
    expect(mostPrecise([series], scores, 0.5)).toMatchObject({ found: 1, falseAlarms: 0 });
    expect(mostPrecise([series], scores, 0.8)).toMatchObject({ found: 2, falseAlarms: 1 });
    expect(mostPrecise([series], [scoresAt({ 35: 0.9 })], 0.8)).toBeUndefined();
  });
});
