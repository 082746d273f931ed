import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { learnPunctuality, newPunctuality, type Punctuality, patienceOf } from './punctuality.js';

const NOW = Date.UTC(2026, 10, 21, 9);

/** Learns an arrival whose minutes are `from` to `to` milliseconds before it is stored. */
function learn(punctuality: Punctuality, storedAt: number, from: number, to: number): void {
  learnPunctuality(punctuality, {
    ...{ websiteId: 'w', storedAt, receivedAt: storedAt, hasPendingClaims: false, intervals: [] },
    ...{ oldestMinute: storedAt - from, newestMinute: storedAt - to },
  });
}

/** Logs that arrive line by line for two hours. */
function live(): Punctuality {
  const punctuality = newPunctuality();
  for (let minute = 120; minute > 0; minute -= 1)
    learn(punctuality, NOW - minute * MINUTE_MS, MINUTE_MS, MINUTE_MS);
  return punctuality;
}

describe('the lateness of logs', () => {
  it('is not learned from an import of old logs of any size', () => {
    const punctuality = live();
    const before = patienceOf(punctuality);
    for (let hour = 24; hour > 2; hour -= 0.05)
      learn(punctuality, NOW, hour * HOUR_MS, hour * HOUR_MS - 10 * MINUTE_MS);
    expect(patienceOf(punctuality)).toBe(before);
    expect(before).toBeLessThanOrEqual(2 * MINUTE_MS);
  });

  it.each([
    ['whole', [[28 * 24, 0]]],
    ['by the day', Array.from({ length: 28 }, (_, at) => [(28 - at) * 24, (27 - at) * 24])],
    ['by the minute', Array.from({ length: 24 * 60 }, (_, at) => [24 - at / 60, 24 - (at + 1) / 60])],
  ])(
    "is not learned from the archive at a website's start, even if it ends now and arrives %s",
    (_, parts) => {
      const punctuality = newPunctuality();
      for (const [index, [from, to]] of parts.entries())
        learn(punctuality, NOW + index, from! * HOUR_MS, to! * HOUR_MS + MINUTE_MS);
      expect(punctuality.isLive).toBe(false);
      expect(patienceOf(punctuality)).toBe(patienceOf(newPunctuality()));
    },
  );

  it('is learned when an archive is followed by live logs', () => {
    const punctuality = newPunctuality();
    learn(punctuality, NOW, 28 * 24 * HOUR_MS, MINUTE_MS);
    for (let minute = 1; minute < 10; minute += 1)
      learn(punctuality, NOW + minute * MINUTE_MS, MINUTE_MS, MINUTE_MS);
    expect(punctuality.isLive).toBe(true);
    expect(patienceOf(punctuality)).toBeLessThanOrEqual(2 * MINUTE_MS);
  });

  it('is learned from batches, and from logs that are always hours late', () => {
    const batches = newPunctuality();
    for (let hour = 10; hour > 0; hour -= 1) learn(batches, NOW - hour * HOUR_MS, HOUR_MS, MINUTE_MS);
    expect(patienceOf(batches)).toBeGreaterThanOrEqual(58 * MINUTE_MS);
    const late = newPunctuality();
    for (let minute = 600; minute > 0; minute -= 1)
      learn(late, NOW - minute * MINUTE_MS, 6 * HOUR_MS, 6 * HOUR_MS);
    expect(patienceOf(late)).toBeGreaterThan(5 * HOUR_MS);
    expect(late.isLive).toBe(true);
  });

  it('is learned from each part of a batch of an hour, in any order', () => {
    const punctuality = newPunctuality();
    for (let hour = 10; hour > 0; hour -= 1) {
      const at = NOW - hour * HOUR_MS;
      learn(punctuality, at, 10 * MINUTE_MS, MINUTE_MS);
      learn(punctuality, at, HOUR_MS, 50 * MINUTE_MS);
    }
    expect(patienceOf(punctuality)).toBeGreaterThanOrEqual(58 * MINUTE_MS);
  });
});
