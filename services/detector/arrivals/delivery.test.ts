import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type Delivery, learnDelivery, newDelivery, patienceOf } from './delivery.js';

const NOW = Date.UTC(2026, 10, 21, 9);

/** Learns an arrival: its minutes are `from` to `to` milliseconds before it is stored. */
function learn(delivery: Delivery, storedAt: number, from: number, to: number): void {
  learnDelivery(delivery, {
    ...{ websiteId: 'w', storedAt, receivedAt: storedAt, hasPendingClaims: false, intervals: [] },
    ...{ oldestMinute: storedAt - from, newestMinute: storedAt - to },
  });
}

/** Logs that come line by line for two hours. */
function live(): Delivery {
  const delivery = newDelivery();
  for (let minute = 120; minute > 0; minute -= 1)
    learn(delivery, NOW - minute * MINUTE_MS, MINUTE_MS, MINUTE_MS);
  return delivery;
}

describe('how late logs come', () => {
  it('is not learned from an import of old ones, however much it is', () => {
    const delivery = live();
    const before = patienceOf(delivery);
    for (let hour = 24; hour > 2; hour -= 0.05)
      learn(delivery, NOW, hour * HOUR_MS, hour * HOUR_MS - 10 * MINUTE_MS);
    expect(patienceOf(delivery)).toBe(before);
    expect(before).toBeLessThanOrEqual(2 * MINUTE_MS);
  });

  it.each([
    ['whole', [[28 * 24, 0]]],
    ['by the day', Array.from({ length: 28 }, (_, at) => [(28 - at) * 24, (27 - at) * 24])],
    ['by the minute', Array.from({ length: 24 * 60 }, (_, at) => [24 - at / 60, 24 - (at + 1) / 60])],
  ])(
    'is not learned from the archive that a website begins with, though it ends now and comes %s',
    (_, parts) => {
      const delivery = newDelivery();
      for (const [index, [from, to]] of parts.entries())
        learn(delivery, NOW + index, from! * HOUR_MS, to! * HOUR_MS + MINUTE_MS);
      expect(delivery.isLive).toBe(false);
      expect(patienceOf(delivery)).toBe(patienceOf(newDelivery()));
    },
  );

  it('is learned when an archive is followed by logs that come as they are made', () => {
    const delivery = newDelivery();
    learn(delivery, NOW, 28 * 24 * HOUR_MS, MINUTE_MS);
    for (let minute = 1; minute < 10; minute += 1)
      learn(delivery, NOW + minute * MINUTE_MS, MINUTE_MS, MINUTE_MS);
    expect(delivery.isLive).toBe(true);
    expect(patienceOf(delivery)).toBeLessThanOrEqual(2 * MINUTE_MS);
  });

  it('is learned from batches, and from logs that always come hours late', () => {
    const batches = newDelivery();
    for (let hour = 10; hour > 0; hour -= 1) learn(batches, NOW - hour * HOUR_MS, HOUR_MS, MINUTE_MS);
    expect(patienceOf(batches)).toBeGreaterThanOrEqual(58 * MINUTE_MS);
    const late = newDelivery();
    for (let minute = 600; minute > 0; minute -= 1)
      learn(late, NOW - minute * MINUTE_MS, 6 * HOUR_MS, 6 * HOUR_MS);
    expect(patienceOf(late)).toBeGreaterThan(5 * HOUR_MS);
    expect(late.isLive).toBe(true);
  });

  it('is learned from each part of a batch of an hour, in any order', () => {
    const delivery = newDelivery();
    for (let hour = 10; hour > 0; hour -= 1) {
      const at = NOW - hour * HOUR_MS;
      learn(delivery, at, 10 * MINUTE_MS, MINUTE_MS);
      learn(delivery, at, HOUR_MS, 50 * MINUTE_MS);
    }
    expect(patienceOf(delivery)).toBeGreaterThanOrEqual(58 * MINUTE_MS);
  });
});
