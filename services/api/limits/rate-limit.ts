import { PublicError } from '../../../shared/errors.js';
import { nextHourOf } from '../../../shared/usage/clock-hour.js';
import type { UsageBucket } from '../../../shared/usage/usage-bucket.js';

/** Hourly limits of an organisation (spec §8): limit, remaining calls and refusals. Pure. */

/** A write counts in `writes` alone, every other call in `requests`; a read with a session of the console in `console`. */
export const buckets = ['requests', 'writes', 'console'] as const satisfies readonly UsageBucket[];
export type Bucket = (typeof buckets)[number];

/** For every plan (spec §8). */
const WRITES_AN_HOUR = 120;

/**
 * For every plan. A screen makes some ten reads, and repeats some of them: a team of 20 may change screens every 40 seconds all hour long.
 */
const CONSOLE_READS_AN_HOUR = 20_000;

/**
 * An organisation without API access must still see plans, start a trial and pay. That takes a few calls for each visit.
 * The limit of the smallest plan with API access is enough.
 */
const REQUESTS_AN_HOUR_WITHOUT_ACCESS = 50;

export interface LimitOptions {
  /** Limit of the plan; null: no API access. */
  readonly hourlyApiLimit: number | null;
  /** Whether the call is open to plans without API access. */
  readonly allPlans: boolean;
}

/** Calls per hour in the bucket; 0 if the plan allows none. */
export function hourlyLimit(bucket: Bucket, { hourlyApiLimit, allPlans }: LimitOptions): number {
  if (bucket === 'console') return CONSOLE_READS_AN_HOUR;
  if (hourlyApiLimit === null && !allPlans) return 0;
  if (bucket === 'writes') return WRITES_AN_HOUR;
  return hourlyApiLimit ?? REQUESTS_AN_HOUR_WITHOUT_ACCESS;
}

/** State of one bucket of an organisation. */
export interface Allowance {
  readonly limit: number;
  /** Remaining calls; never negative, though replicas together may exceed the limit. */
  readonly remaining: number;
  /** The next full hour, ISO 8601. */
  readonly resetAt: string;
  /** Whole seconds until then, at least 1. */
  readonly resetInSeconds: number;
}

/**
 * @param used allowed calls since the start of the hour
 * @param now milliseconds since the epoch
 */
export function allowanceOf({ limit, used, now }: { limit: number; used: number; now: number }): Allowance {
  const reset = nextHourOf(now);
  return {
    limit,
    remaining: Math.max(0, limit - used),
    resetAt: new Date(reset.at).toISOString(),
    resetInSeconds: reset.inSeconds,
  };
}

/** Headers of every answer (spec §8). */
export function rateHeaders({ limit, remaining, resetAt }: Allowance): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': resetAt,
  };
}

/** The 429 of a call above the limit (spec §7). */
export function limitReached(bucket: Bucket, { limit, resetAt, resetInSeconds }: Allowance): PublicError {
  const calls = bucket === 'console' ? 'reads in the console' : bucket;
  return new PublicError(
    'rate_limited',
    `The organisation's limit of ${limit} ${calls} an hour is reached; the next hour begins at ${resetAt}.`,
    { retryAfterSeconds: resetInSeconds, fields: { limit, reset_at: resetAt } },
  );
}
