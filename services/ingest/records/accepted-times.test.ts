import { expect, it } from 'vitest';
import { HOUR_MS as HOUR } from '../../../shared/durations.js';
import { plainRequest } from '../../enricher/sink/plain-request.js';
import { acceptedTimes } from './accepted-times.js';
import { validateRequest } from './validate-request.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

it('has the same limits for a whole clock hour, and new ones in the next', () => {
  const first = acceptedTimes(NOON, 90);
  expect(acceptedTimes(NOON + HOUR - 1, 90)).toEqual(first);
  expect(acceptedTimes(NOON + HOUR, 90).earliest).toBe(first.earliest + HOUR);
});

it('reports the limit that a timestamp exceeds', () => {
  const times = acceptedTimes(NOON + 5, 30);
  const at = (timestamp: number) => validateRequest(plainRequest({ timestamp }), times);
  expect(at(NOON - 30 * 24 * HOUR - 1)).toEqual({
    reject: 'timestamp: before 2026-10-22T12:00:00Z; the plan keeps 30 days',
  });
  expect(at(NOON + 24 * HOUR + 1)).toEqual({
    reject: 'timestamp: after 2026-11-22T12:00:00Z, 24 hours ahead',
  });
});

it('limits an upload to the months that the plan keeps, for any dates', () => {
  for (const retentionDays of [30, 90, 180, 400, 800]) {
    const times = acceptedTimes(NOON, retentionDays);
    const months = new Set<string>();
    for (let month = 0; month < 12 * 300; month++) {
      const timestamp = Date.UTC(1900, month, 15);
      if (!('reject' in validateRequest(plainRequest({ timestamp }), times))) {
        months.add(new Date(timestamp).toISOString().slice(0, 7));
      }
    }
    expect(months.size).toBeGreaterThan(0);
    expect(months.size).toBeLessThanOrEqual(retentionDays / 28 + 2);
  }
});
