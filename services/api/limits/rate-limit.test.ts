import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOf, type Bucket, hourlyLimit, limitReached, rateHeaders } from './rate-limit.js';

const HALF_PAST = Date.parse('2026-11-21T12:30:00.250Z');

describe('hourlyLimit', () => {
  it.each([
    // bucket, the plan's limit, open to all plans, calls per hour
    ['requests', 100, false, 100],
    ['requests', 100, true, 100],
    ['writes', 100, false, 120],
    ['writes', 10_000, true, 120],
    ['requests', null, false, 0],
    ['writes', null, false, 0],
    ['requests', null, true, 50],
    ['writes', null, true, 120],
    ['console', 50, false, 20_000],
    ['console', null, false, 20_000],
  ] as [Bucket, number | null, boolean, number][])(
    '%s with a plan limit of %s, open to all plans: %s, are %d',
    (bucket, hourlyApiLimit, allPlans, limit) => {
      expect(hourlyLimit(bucket, { hourlyApiLimit, allPlans })).toBe(limit);
    },
  );
});

describe('allowanceOf', () => {
  it('restarts at the next full hour in UTC', () => {
    expect(allowanceOf({ limit: 100, used: 1, now: HALF_PAST })).toEqual({
      limit: 100,
      remaining: 99,
      resetAt: '2026-11-21T13:00:00.000Z',
      resetInSeconds: 1800,
    });
  });

  it('counts a full hour from its first millisecond', () => {
    const now = Date.parse('2026-11-21T23:00:00Z');
    const { resetAt, resetInSeconds } = allowanceOf({ limit: 1, used: 0, now });
    expect([resetAt, resetInSeconds]).toEqual(['2026-11-22T00:00:00.000Z', 3600]);
    expect(allowanceOf({ limit: 1, used: 0, now: now - 1 })).toMatchObject({
      resetAt: '2026-11-21T23:00:00.000Z',
      resetInSeconds: 1,
    });
  });

  it('never has a negative remainder', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(20_000), (limit, used) => {
        const { remaining } = allowanceOf({ limit, used, now: HALF_PAST });
        expect(remaining).toBe(used >= limit ? 0 : limit - used);
      }),
    );
  });
});

it('returns limit, remainder and reset in headers', () => {
  expect(rateHeaders(allowanceOf({ limit: 100, used: 101, now: HALF_PAST }))).toEqual({
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': '2026-11-21T13:00:00.000Z',
  });
});

it('refuses with the limit and the time of the reset', () => {
  const error = limitReached('writes', allowanceOf({ limit: 120, used: 120, now: HALF_PAST }));
  expect(error).toMatchObject({
    status: 429,
    message:
      "The organisation's limit of 120 writes an hour is reached; the next hour begins at 2026-11-21T13:00:00.000Z.",
    retryAfterSeconds: 1800,
    fields: { limit: 120, reset_at: '2026-11-21T13:00:00.000Z' },
  });
});
