import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { latelyOf, newLately, noteLately } from './lately.js';

const START = Date.UTC(2026, 9, 6, 12);

/**
 * @param times factor of the expected traffic, which is 100 requests in five minutes, 60 of them from people
 */
function brought(hours: number, times: number, lately = newLately(), from = START) {
  for (let start = from; start < from + hours * HOUR_MS; start += 5 * MINUTE_MS) {
    const expected = { requests: 100, people: 60 };
    noteLately(lately, { start, requests: 100 * times, people: 60 * times, expected });
  }
  return lately;
}

describe('the ratio of recent to expected traffic', () => {
  it('is 1 if nothing is known, or if little was expected', () => {
    expect(latelyOf(newLately(), START)).toEqual({ requests: 1, people: 1 });
    const lately = newLately();
    noteLately(lately, { start: START, requests: 0, people: 0, expected: { requests: 3, people: 2 } });
    expect(latelyOf(lately, START).people).toBeGreaterThan(0.9);
  });

  it('changes within some hours of a quiet or a busy day', () => {
    expect(latelyOf(brought(4, 0.72), START + 4 * HOUR_MS).people).toBeCloseTo(0.72, 1);
    expect(latelyOf(brought(4, 1.3), START + 4 * HOUR_MS).requests).toBeCloseTo(1.3, 1);
  });

  it('decays', () => {
    const lately = brought(4, 0.72);
    expect(latelyOf(lately, START + 30 * HOUR_MS).people).toBeGreaterThan(0.95);
    expect(latelyOf(brought(6, 1, lately, START + 4 * HOUR_MS), START + 10 * HOUR_MS).people).toBeGreaterThan(
      0.95,
    );
  });

  it('is bounded, so that it hides no large change', () => {
    expect(latelyOf(brought(9, 0), START + 9 * HOUR_MS).people).toBe(1 / 1.6);
    expect(latelyOf(brought(9, 50), START + 9 * HOUR_MS).people).toBe(1.6);
  });
});
